import { sumError } from "../commit/counter.ts";
import { readNotify } from "../commit/merged-keys.ts";
import { alreadyTakenError, checkPartition } from "../commit/refusals.ts";
import type { Commit, CommitResult, Key } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { toCommitParameters, type CommitParameters } from "./commit-parameters.ts";
import { createCommitWriter, type CommitWriter } from "./commit-writer.ts";

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
  readonly notify: readonly Key[] | undefined;
  readonly takes: readonly string[];
  readonly begunAt: number;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Commits of one partition, encoded when they arrive: meanwhile PostgreSQL works on those before them. */
interface Batch {
  readonly partition: string;
  readonly writer: CommitWriter;
  readonly waiting: Waiting[];
  /** Those that are rejected already. The others are sent. */
  readonly refused: Set<number>;
}

/** A batch in a transaction, with the number of its first commit there. */
type Sent = Batch & { readonly first: number };

/** The kind of a rejection because a row of the outbox is gone. Then no commit of the group was applied. */
const alreadyTaken = 4;

const committed: CommitResult = Object.freeze({ ok: true });

/** More would not help: transactions of one partition run one after the other. */
const maxTransactions = 4;
/** A larger transaction would hold its locks for long. */
const maxBytes = 512 * 1024;
/** When a transaction fails, commits that have waited this long fail too, so that nobody waits for two time-outs. */
const maxWaitMs = 1_000;

export function createCommitGroups(options: {
  readonly apply: ApplyCommits;
  /** Receives the keys of `notify` of applied commits. */
  readonly onNotify: (keys: readonly Key[]) => void;
}): CommitGroups {
  /** By partition, in the order of the calls. */
  const collected = new Map<string, Batch[]>();
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

  function takeGroup(): Sent[] {
    const group: Sent[] = [];
    let bytes = 0;
    let first = 0;
    for (const [partition, [batch, ...later]] of collected) {
      if (busy.has(partition) || batch === undefined) continue;
      bytes += batch.writer.data.byteLength();
      if (group.length > 0 && bytes > maxBytes) break;
      group.push({ ...batch, first });
      first += batch.waiting.length;
      if (later.length === 0) collected.delete(partition);
      else collected.set(partition, later);
    }
    for (const { partition } of group) busy.add(partition);
    return group;
  }

  async function send(group: readonly Sent[]): Promise<void> {
    transactions += 1;
    try {
      const parameters = toCommitParameters(group);
      const notifications: { readonly commit: number; readonly keys: readonly Key[] }[] = [];
      const takes: { readonly commit: number; readonly id: string }[] = [];
      forEachCommit(group, ({ notify, takes: ids }, commit) => {
        if (notify !== undefined) notifications.push({ commit, keys: notify });
        for (const id of ids) takes.push({ commit, id });
      });
      settle(group, parameters, await options.apply(parameters, notifications, takes));
    } catch (error) {
      forEachCommit(group, ({ reject }) => reject(error));
      rejectLate(error);
    } finally {
      transactions -= 1;
      for (const { partition } of group) busy.delete(partition);
      flush();
    }
  }

  function settle(
    group: readonly Sent[],
    { checkedKey, mutatedKey }: CommitParameters,
    rejections: readonly number[],
  ): void {
    const kinds = new Map<number, readonly [kind: number, index: number]>();
    for (let at = 0; at < rejections.length; at += 3) {
      const [commit = -1, kind = 0, index = -1] = rejections.slice(at, at + 3);
      kinds.set(commit, [kind, index]);
    }
    if (rejections[1] === alreadyTaken) return collectOthersAgain(group, kinds);
    const keys: Key[] = [];
    forEachCommit(group, ({ notify, resolve, reject }, commit) => {
      const [kind, index = -1] = kinds.get(commit) ?? [];
      if (kind === undefined) {
        resolve(committed);
        if (notify !== undefined) keys.push(...notify);
      } else if (kind === 1) resolve({ ok: false, failed: checkedKey(index) });
      else reject(sumError(kind === 2 ? "not_an_integer" : "out_of_range", mutatedKey(index)));
    });
    if (keys.length > 0) options.onNotify(keys);
  }

  function collectOthersAgain(group: readonly Sent[], taken: ReadonlyMap<number, unknown>): void {
    forEachCommit(group, ({ reject }, commit) => {
      if (taken.has(commit)) reject(alreadyTakenError());
    });
    for (const { first, ...batch } of group) {
      for (const index of batch.waiting.keys()) if (taken.has(first + index)) batch.refused.add(index);
      if (batch.refused.size < batch.waiting.length)
        collected.set(batch.partition, [batch, ...(collected.get(batch.partition) ?? [])]);
    }
  }

  function rejectLate(error: unknown): void {
    const latest = performance.now() - maxWaitMs;
    for (const [partition, batches] of collected) {
      for (const batch of batches)
        forEachCommit([{ ...batch, first: 0 }], ({ begunAt, reject }, index) => {
          if (begunAt >= latest) return;
          batch.refused.add(index);
          reject(error);
        });
      const kept = batches.filter(({ refused, waiting }) => refused.size < waiting.length);
      if (kept.length === 0) collected.delete(partition);
      else collected.set(partition, kept);
    }
  }

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        checkPartition(partition);
        const { notify, takes = [] } = commit;
        for (const id of takes) checkRowId(id);
        const waiting: Waiting = {
          notify: readNotify(notify, partition),
          takes: [...takes],
          begunAt: performance.now(),
          resolve,
          reject,
        };
        const others = collected.get(partition) ?? [];
        const open = others.at(-1);
        const batch =
          open !== undefined && open.writer.data.byteLength() < maxBytes ? open : openBatch(partition);
        batch.writer.add(commit);
        batch.waiting.push(waiting);
        if (batch !== open) collected.set(partition, [...others, batch]);
        scheduleFlush();
      });
    },
    settled() {
      if (collected.size === 0 && transactions === 0) return Promise.resolve();
      return new Promise((resolve) => whenSettled.push(resolve));
    },
  };
}

function openBatch(partition: string): Batch {
  return {
    partition,
    writer: createCommitWriter(partition),
    waiting: [],
    refused: new Set(),
  };
}

/** Calls back with each commit that is not refused, and its number in the transaction. */
function forEachCommit(group: readonly Sent[], callback: (one: Waiting, commit: number) => void): void {
  for (const { first, waiting, refused } of group)
    for (const [index, one] of waiting.entries()) if (!refused.has(index)) callback(one, first + index);
}

/** The id of a row of an outbox: a decimal integer of 64 bits. */
function checkRowId(id: string): void {
  if (typeof id === "string" && /^-?\d{1,19}$/u.test(id)) return;
  throw new StorageError(
    "invalid_argument",
    `takes must be ids of rows of the outbox, such as "17", not ${JSON.stringify(id) ?? typeof id}.`,
  );
}
