import { addToCounter, sumError, type Held } from "./counter.ts";
import { isExpired, toExpiresAt } from "./expiry.ts";
import { decodeKey } from "../keys/key-codec.ts";
import type { CommitResult } from "../port.ts";
import type { StorageError } from "../storage-error.ts";
import type { PreparedCommit } from "./prepare-commit.ts";

/** The new state of a key. `held` is `undefined` if the key is removed. */
export interface Change {
  readonly held: Held | undefined;
}

export interface Judgement {
  /** The result of each commit, in order, or the error that rejects it. */
  readonly outcomes: readonly (CommitResult | StorageError)[];
  /** The combined changes of all commits, by encoded key. */
  readonly changes: ReadonlyMap<string, Change>;
}

const committed: CommitResult = Object.freeze({ ok: true });

/**
 * Evaluates commits one after the other without changing anything. The store can log the changes before it
 * makes them visible.
 *
 * @param options.read returns what is stored under an encoded key
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
    const findCurrent = (key: string): Held | undefined => {
      const change = own.get(key) ?? changes.get(key);
      const held = change === undefined ? read(key) : change.held;
      return held?.expiresAt !== undefined && isExpired(held.expiresAt, now) ? undefined : held;
    };
    const failed = checks.find(({ key, text }) => findCurrent(key)?.text !== text);
    if (failed !== undefined) return { ok: false, failed: decodeKey(failed.key) };
    for (const mutation of mutations) {
      const { key } = mutation;
      if (mutation.type === "set")
        own.set(key, { held: { text: mutation.text, expiresAt: toExpiresAt(mutation, now) } });
      else if (mutation.type === "delete") own.set(key, { held: undefined });
      else {
        const held = addToCounter(findCurrent(key), mutation, now);
        if ("error" in held) return sumError(held.error, decodeKey(key));
        own.set(key, { held });
      }
    }
    for (const [key, change] of own) changes.set(key, change);
    return committed;
  }

  return { outcomes: commits.map(judge), changes };
}
