import { addToCounter, sumError } from "./counter.ts";
import { isExpired } from "./expiry.ts";
import type { Held } from "./sum-plan.ts";
import { decodeKey } from "../keys/key-codec.ts";
import type { CommitResult } from "../port.ts";
import type { StorageError } from "../storage-error.ts";
import type { PreparedCommit } from "./prepare-commit.ts";

/** What commits leave under a key; `held` is undefined for a key that is removed. */
export interface Change {
  readonly keyJson: string;
  readonly held: Held | undefined;
}

export interface Judgement {
  /** For each commit, in order: its result, or the error that refuses it. */
  readonly outcomes: readonly (CommitResult | StorageError)[];
  /** All that the commits change together, by encoded key. */
  readonly changes: ReadonlyMap<string, Change>;
}

const committed: CommitResult = Object.freeze({ ok: true });

/**
 * Works out what commits come to, one after the other, without changing anything: their changes are written to the log
 * first, and become visible once they are there.
 *
 * @param options.read what is stored under an encoded key
 */
export function judgeCommits(options: {
  readonly commits: readonly PreparedCommit[];
  readonly read: (key: string) => Held | undefined;
  readonly now: number;
}): Judgement {
  const { commits, read, now } = options;
  const changes = new Map<string, Change>();

  function judge({ checks, mutations }: PreparedCommit): CommitResult | StorageError {
    const own = new Map<string, Change>();
    const look = (key: string): Held | undefined => {
      const change = own.get(key) ?? changes.get(key);
      const held = change === undefined ? read(key) : change.held;
      return held?.expiresAt !== undefined && isExpired(held.expiresAt, now) ? undefined : held;
    };
    const failed = checks.find(({ key, text }) => look(key)?.text !== text);
    if (failed !== undefined) return { ok: false, failed: decodeKey(failed.key) };
    for (const mutation of mutations) {
      const { key, keyJson } = mutation;
      if (mutation.type === "set")
        own.set(key, { keyJson, held: { text: mutation.text, expiresAt: mutation.expiresAt } });
      else if (mutation.type === "delete") own.set(key, { keyJson, held: undefined });
      else {
        const current = look(key);
        const sum = addToCounter(current?.text, mutation.amount);
        if ("fault" in sum) return sumError(sum.fault, decodeKey(key));
        const expiresAt = mutation.expiresAt ?? current?.expiresAt;
        own.set(key, { keyJson, held: { text: sum.text, expiresAt } });
      }
    }
    for (const [key, change] of own) changes.set(key, change);
    return committed;
  }

  return { outcomes: commits.map(judge), changes };
}
