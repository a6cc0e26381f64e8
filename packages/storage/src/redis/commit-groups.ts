import { sumError } from "../commit/counter.ts";
import { checkPartition } from "../commit/refusals.ts";
import { readNotify } from "../commit/merged-keys.ts";
import { decodeKey } from "../keys/key-codec.ts";
import type { Commit, CommitResult, Key } from "../port.ts";
import type { StorageError } from "../storage-error.ts";
import type { ArgumentWriter, EncodedArguments } from "./argument-writer.ts";
import { isEmpty, writeCommit } from "./write-commit.ts";
import type { WriterPool } from "./writer-pool.ts";

/**
 * Applies commits of one partition in one call. Returns the reply of the commit script.
 *
 * @param hasEmptyText whether one of them sets a row that is only in the index
 */
export type ApplyCommits = (
  partition: string,
  commits: EncodedArguments,
  hasEmptyText: boolean,
) => Promise<unknown>;

/** Collects commits and sends concurrent ones of one partition as one call. */
export interface CommitGroups {
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /** Resolves when no commit is collected or in flight. */
  settled(): Promise<void>;
}

/**
 * A commit that has been encoded. It does not refer to the caller's arrays, so garbage collection is cheap.
 */
interface Waiting {
  readonly notify: readonly Key[] | undefined;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  readonly partition: string;
  readonly writer: ArgumentWriter;
  readonly waiting: Waiting[];
  readonly begunAt: number;
  hasEmptyText: boolean;
}

const committed: CommitResult = Object.freeze({ ok: true });

/** Redis is blocked for one or two milliseconds by a group of this size. A larger commit is sent alone. */
const maxBytes = 64 * 1024;
/** When a call fails, commits that have waited this long fail too, so that nobody waits for two time-outs. */
const maxWaitMs = 1_000;

export function createCommitGroups(options: {
  readonly apply: ApplyCommits;
  readonly writers: WriterPool;
  /**
   * The limit for commits without a reply. Reads share the connection and would wait behind a longer queue.
   */
  readonly maxBytesInFlight: number;
  /** Calls `send` once, when commands are about to be sent. */
  readonly beforeFlush: (send: () => void) => void;
  /** Receives the keys of `notify` of applied commits. */
  readonly onNotify: (keys: readonly Key[]) => void;
  /** The error of a commit that Redis refused after it had applied earlier ones of its group. */
  readonly toStoppedError: (reason: string) => StorageError;
}): CommitGroups {
  /** In the order in which they were started. Groups of one partition are sent and executed in this order. */
  let collected: Group[] = [];
  /** The last collected group of each partition, if it is not full. */
  const open = new Map<string, Group>();
  const whenSettled: (() => void)[] = [];
  let bytesInFlight = 0;
  let groupsInFlight = 0;
  let isFlushScheduled = false;

  function scheduleFlush(): void {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    options.beforeFlush(() => {
      isFlushScheduled = false;
      flush();
    });
  }

  function flush(): void {
    let sent = 0;
    for (const group of collected) {
      if (bytesInFlight >= options.maxBytesInFlight) break;
      sent += 1;
      if (open.get(group.partition) === group) open.delete(group.partition);
      void send(group);
    }
    collected = collected.slice(sent);
    resolveSettled();
  }

  function resolveSettled(): void {
    if (collected.length === 0 && groupsInFlight === 0)
      for (const resolve of whenSettled.splice(0)) resolve();
  }

  function groupOf(partition: string): Group {
    const known = open.get(partition);
    if (known !== undefined && known.writer.byteLength() < maxBytes) return known;
    const group: Group = {
      partition,
      writer: options.writers.take(),
      waiting: [],
      begunAt: performance.now(),
      hasEmptyText: false,
    };
    collected.push(group);
    open.set(partition, group);
    scheduleFlush();
    return group;
  }

  async function send({ partition, writer, waiting, hasEmptyText }: Group): Promise<void> {
    // Its only commit was invalid.
    if (waiting.length === 0) return options.writers.release(writer);
    const encoded = writer.arguments();
    bytesInFlight += encoded.byteLength;
    groupsInFlight += 1;
    try {
      const reply = await options.apply(partition, encoded, hasEmptyText);
      options.writers.release(writer);
      const keys = settle(waiting, reply, options.toStoppedError).flatMap(({ notify = [] }) => notify);
      if (keys.length > 0) options.onNotify(keys);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      rejectLate(error);
    } finally {
      bytesInFlight -= encoded.byteLength;
      groupsInFlight -= 1;
      if (collected.length > 0) scheduleFlush();
      resolveSettled();
    }
  }

  function rejectLate(error: unknown): void {
    const latest = performance.now() - maxWaitMs;
    const late = collected.filter(({ begunAt }) => begunAt < latest);
    collected = collected.filter(({ begunAt }) => begunAt >= latest);
    for (const group of late) {
      if (open.get(group.partition) === group) open.delete(group.partition);
      options.writers.release(group.writer);
      for (const { reject } of group.waiting) reject(error);
    }
  }

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        checkPartition(partition);
        const group = groupOf(partition);
        const notify = readNotify(commit.notify, partition);
        writeCommit(group.writer, { partition, commit, notify });
        if (commit.mutations.some(isEmpty)) group.hasEmptyText = true;
        group.waiting.push({ notify, resolve, reject });
      });
    },
    settled() {
      if (collected.length === 0 && groupsInFlight === 0) return Promise.resolve();
      return new Promise((resolve) => whenSettled.push(resolve));
    },
  };
}

/**
 * Settles the commits of a group and returns the applied ones. The reply lists the rejected ones: index, kind
 * and encoded key (or error) of each.
 */
function settle(
  group: readonly Waiting[],
  reply: unknown,
  toStoppedError: (reason: string) => StorageError,
): Waiting[] {
  const refused: readonly unknown[] = Array.isArray(reply) ? reply : [];
  let next = 0;
  return group.filter((one, index) => {
    if (next >= refused.length || Number(refused[next]) !== index) {
      one.resolve(committed);
      return true;
    }
    const kind = Number(refused[next + 1]);
    const text = String(refused[next + 2]);
    next += 3;
    if (kind === 4) {
      one.reject(toStoppedError(text));
      return false;
    }
    const key = decodeKey(text);
    if (kind === 1) one.resolve({ ok: false, failed: key });
    else one.reject(sumError(kind === 2 ? "not_an_integer" : "out_of_range", key));
    return false;
  });
}
