import { Worker } from "node:worker_threads";
import { sumError } from "../commit/counter.ts";
import { checkPartition } from "../commit/refusals.ts";
import { readNotify } from "../commit/merged-keys.ts";
import { decodeKey } from "../keys/key-codec.ts";
import type { Commit, CommitResult, Key } from "../port.ts";
import { reasonOfSystemError } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";
import type { Refusal } from "./apply-commits.ts";
import { bufferBytes, createCommitBuffer } from "./commit-buffer.ts";
import { isDiskFull, diskFullMessage } from "./disk-space.ts";
import type { WriteFailure, WriterData, WriterReply, WriterRequest } from "./writer-messages.ts";

/** Sends commits to the writer thread. */
export interface Writer {
  /** Resolves when the commit is durable. */
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /** Removes up to `limit` expired entries. Resolves with the number of index entries checked. */
  sweep(limit: number): Promise<number>;
  /** Finishes all commits and ends the thread. */
  close(): Promise<void>;
}

/** A commit that has been encoded. It does not refer to the caller's arrays. */
interface Waiting {
  readonly notify: readonly Key[] | undefined;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

const committed: CommitResult = Object.freeze({ ok: true });

/**
 * While one group is written, the next one is ready, so the disk does not wait for the event loop. Later
 * commits are collected, so a slow disk makes groups larger.
 */
const maxGroupsInFlight = 2;
const maxSpareBuffers = 4;

/** @throws {StorageError} `directory_unusable`, `in_use`, `unavailable` */
export async function openWriter(options: {
  readonly threadUrl: URL;
  readonly directory: string;
  /** The store's own clock. @default the system's clock, read by the thread when it writes */
  readonly now: (() => number) | undefined;
  /** Receives the keys of `notify` when the commits are durable. */
  readonly onNotify: (keys: readonly Key[]) => void;
}): Promise<Writer> {
  const { threadUrl, directory, now, onNotify } = options;
  const workerData: WriterData = { directory };
  // The thread has almost no heap. The default young generation would only collect garbage late.
  const thread = new Worker(threadUrl, {
    workerData,
    execArgv: [],
    name: "hookwright-storage",
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const spare: ArrayBuffer[] = [];
  const sent: Waiting[][] = [];
  const sweeps: ((checked: number) => void)[] = [];
  let collected: Waiting[] = [];
  let isFlushScheduled = false;
  let broken: StorageError | undefined;
  let closing = false;
  let exited = false;

  const buffer = createCommitBuffer({
    allocate: (bytes) => (bytes <= bufferBytes ? spare.pop() : undefined) ?? new ArrayBuffer(bytes),
    onFull: send,
  });

  function post(message: WriterRequest, transfer: readonly ArrayBuffer[] = []): void {
    thread.postMessage(message, [...transfer]);
  }

  /** Keeps the process alive only while work is in progress or the thread is closing. */
  function updateRef(): void {
    if (closing || sent.length > 0 || sweeps.length > 0) thread.ref();
    else thread.unref();
  }

  function send(): void {
    if (buffer.isEmpty()) return;
    const { bytes, length } = buffer.take();
    sent.push(collected);
    collected = [];
    post({ type: "commits", group: { bytes, length, now: now?.() } }, [bytes]);
    updateRef();
  }

  /** Flushes once in an iteration of the event loop, so all commits of that iteration share a flush. */
  function scheduleFlush(): void {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    setImmediate(() => {
      isFlushScheduled = false;
      if (sent.length < maxGroupsInFlight) send();
    });
  }

  function settle(
    groups: readonly Waiting[][],
    refusals: readonly Refusal[],
    failure: WriteFailure | undefined,
  ): void {
    const waiting = groups.length === 1 ? (groups[0] ?? []) : groups.flat();
    if (failure !== undefined) {
      const isFull = failure.message.startsWith(diskFullMessage) || isDiskFull(directory);
      const error = new StorageError(
        "unavailable",
        `The database in ${directory} could not be written (${failure.message}). ${isFull ? "The disk is full" : "Check the disk"}. The commit was not stored. Repeat it when the problem is fixed.`,
        { isFull, reason: isFull ? "disk_full" : reasonOfSystemError(failure.code) },
      );
      for (const { reject } of waiting) reject(error);
      return;
    }
    let next = 0;
    const notified: Key[] = [];
    waiting.forEach((one, index) => {
      const refusal = refusals[next]?.commit === index ? refusals[next++] : undefined;
      if (refusal === undefined) {
        for (const key of one.notify ?? []) notified.push(key);
        one.resolve(committed);
      } else refuse(one, refusal);
    });
    if (notified.length > 0) onNotify(notified);
  }

  function failAll(cause: unknown): void {
    broken ??= new StorageError(
      "unavailable",
      `The writer thread of ${directory} has ended. The outcome of unconfirmed commits is unknown. Open the store again.`,
      { cause },
    );
    for (const { reject } of [...sent.flat(), ...collected]) reject(broken);
    for (const done of sweeps.splice(0)) done(0);
    sent.length = 0;
    collected = [];
  }

  const opened = await new Promise<WriterReply>((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
  }).catch((cause: unknown) => {
    throw new StorageError(
      "unavailable",
      `The writer thread of ${directory} could not be started. See the cause. If you use a bundler, mark @hookwright/storage as external.`,
      { cause },
    );
  });
  if (opened.type === "refused") {
    const { code, message, reason } = opened.error;
    throw new StorageError(code, message, { reason });
  }
  thread.removeAllListeners("error");
  thread.on("error", failAll);
  thread.on("exit", () => {
    exited = true;
    failAll(undefined);
  });
  thread.on("message", (reply: WriterReply) => {
    if (reply.type === "swept") sweeps.shift()?.(reply.checked);
    if (reply.type === "committed") {
      for (const bytes of reply.buffers) {
        if (bytes.byteLength === bufferBytes && spare.length < maxSpareBuffers) spare.push(bytes);
      }
      settle(sent.splice(0, reply.groups), reply.refusals, reply.failure);
      if (sent.length < maxGroupsInFlight) send();
    }
    updateRef();
  });
  updateRef();

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        if (broken !== undefined) throw broken;
        checkPartition(partition);
        const notify = readNotify(commit.notify, partition);
        buffer.append(partition, commit);
        collected.push({ notify, resolve, reject });
        scheduleFlush();
      });
    },
    sweep(limit) {
      if (broken !== undefined) return Promise.resolve(0);
      return new Promise((resolve) => {
        sweeps.push(resolve);
        post({ type: "sweep", now: now?.(), limit });
        updateRef();
      });
    },
    async close() {
      send();
      if (exited) return;
      const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
      closing = true;
      updateRef();
      post({ type: "close" });
      await ended;
    },
  };
}

function refuse({ resolve, reject }: Waiting, { kind, key }: Refusal): void {
  const failed = decodeKey(key);
  if (kind === "check") resolve({ ok: false, failed });
  else reject(sumError(kind, failed));
}
