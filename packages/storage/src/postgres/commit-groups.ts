import { sumError } from "../commit/counter.ts";
import { prepareCommit, type PreparedCommit } from "../commit/prepare-commit.ts";
import { alreadyTakenError, checkPartition } from "../commit/refusals.ts";
import { decodeKey } from "../keys/key-codec.ts";
import type { Commit, CommitResult, Key } from "../port.ts";
import { toCommitParameters, type CommitParameters } from "./commit-parameters.ts";

/** Applies commits in one transaction. Returns the commit, kind and index of each rejection. */
export type ApplyCommits = (
  parameters: CommitParameters,
  notifications: readonly { readonly commit: number; readonly keys: readonly Key[] }[],
  /** Each row of the outbox that a commit takes. */
  takes: readonly { readonly commit: number; readonly id: string }[],
) => Promise<readonly number[]>;

/** Collects commits. All that wait when a connection is free share one transaction. */
export interface CommitGroups {
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /** Resolves when no commit is collected or in flight. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly prepared: PreparedCommit;
  readonly begunAt: number;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The kind of a rejection because a row of the outbox is gone. Then no commit of the group was applied. */
const alreadyTaken = 4;

const committed: CommitResult = Object.freeze({ ok: true });

/** More would not help: transactions of one partition run one after the other. */
const maxTransactions = 4;
/** A larger transaction would hold its locks for long. */
const maxCharacters = 512 * 1024;
/** When a transaction fails, commits that have waited this long fail too, so that nobody waits for two time-outs. */
const maxWaitMs = 1_000;

export function createCommitGroups(options: {
  readonly apply: ApplyCommits;
  /** Receives the keys of `notify` of applied commits. */
  readonly onNotify: (keys: readonly Key[]) => void;
}): CommitGroups {
  /** By partition, in the order of the calls. */
  const collected = new Map<string, Waiting[]>();
  /** The partitions of the transactions in flight. Their next commits wait here, and not for the lock. */
  const busy = new Set<string>();
  const whenSettled: (() => void)[] = [];
  let transactions = 0;
  let isFlushScheduled = false;

  function scheduleFlush(): void {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    setImmediate(() => {
      isFlushScheduled = false;
      flush();
    });
  }

  function flush(): void {
    while (transactions < maxTransactions) {
      const group = takeGroup();
      if (group.length === 0) break;
      void send(group);
    }
    if (collected.size === 0 && transactions === 0) for (const resolve of whenSettled.splice(0)) resolve();
  }

  function takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    let characters = 0;
    for (const [partition, waiting] of collected) {
      if (busy.has(partition)) continue;
      let taken = 0;
      while (taken < waiting.length && characters < maxCharacters) {
        const one = waiting[taken++];
        if (one === undefined) break;
        group.push(one);
        characters += one.prepared.size;
      }
      if (taken === waiting.length) collected.delete(partition);
      else waiting.splice(0, taken);
      if (characters >= maxCharacters) break;
    }
    for (const { prepared } of group) busy.add(prepared.partition);
    return group;
  }

  async function send(group: readonly Waiting[]): Promise<void> {
    transactions += 1;
    try {
      const parameters = toCommitParameters(group.map(({ prepared }) => prepared));
      const notifications = group.flatMap(({ prepared: { notify } }, commit) =>
        notify === undefined ? [] : [{ commit, keys: notify }],
      );
      const takes = group.flatMap(({ prepared }, commit) => prepared.takes.map((id) => ({ commit, id })));
      settle(group, parameters, await options.apply(parameters, notifications, takes));
    } catch (error) {
      for (const { reject } of group) reject(error);
      rejectLate(error);
    } finally {
      transactions -= 1;
      for (const { prepared } of group) busy.delete(prepared.partition);
      flush();
    }
  }

  function settle(
    group: readonly Waiting[],
    { checkKeys, mutationKeys }: CommitParameters,
    rejections: readonly number[],
  ): void {
    if (rejections[1] === alreadyTaken) return collectOthersAgain(group, rejections);
    const rejected = new Set<number>();
    for (let at = 0; at < rejections.length; at += 3) {
      const [commit = -1, kind, place = -1] = rejections.slice(at, at + 3);
      const waiting = group[commit];
      rejected.add(commit);
      if (kind === 1) waiting?.resolve({ ok: false, failed: decodeKey(checkKeys[place] ?? "") });
      else
        waiting?.reject(
          sumError(kind === 2 ? "not_an_integer" : "out_of_range", decodeKey(mutationKeys[place] ?? "")),
        );
    }
    const keys: Key[] = [];
    for (const [commit, { prepared, resolve }] of group.entries()) {
      if (rejected.has(commit)) continue;
      resolve(committed);
      if (prepared.notify !== undefined) keys.push(...prepared.notify);
    }
    if (keys.length > 0) options.onNotify(keys);
  }

  function collectOthersAgain(group: readonly Waiting[], rejections: readonly number[]): void {
    const taken = new Set(rejections.filter((_, at) => at % 3 === 0));
    const others = new Map<string, Waiting[]>();
    for (const [commit, waiting] of group.entries()) {
      const { partition } = waiting.prepared;
      if (taken.has(commit)) waiting.reject(alreadyTakenError());
      else others.set(partition, [...(others.get(partition) ?? []), waiting]);
    }
    for (const [partition, waiting] of others)
      collected.set(partition, [...waiting, ...(collected.get(partition) ?? [])]);
  }

  function rejectLate(error: unknown): void {
    const latest = performance.now() - maxWaitMs;
    for (const [partition, waiting] of collected) {
      const kept = waiting.filter(({ begunAt }) => begunAt >= latest);
      for (const { begunAt, reject } of waiting) if (begunAt < latest) reject(error);
      if (kept.length === 0) collected.delete(partition);
      else collected.set(partition, kept);
    }
  }

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        checkPartition(partition);
        const prepared = prepareCommit(partition, commit, { hasOutbox: true });
        const waiting = { prepared, begunAt: performance.now(), resolve, reject };
        const others = collected.get(partition);
        if (others === undefined) collected.set(partition, [waiting]);
        else others.push(waiting);
        scheduleFlush();
      });
    },
    settled() {
      if (collected.size === 0 && transactions === 0) return Promise.resolve();
      return new Promise((resolve) => whenSettled.push(resolve));
    },
  };
}
