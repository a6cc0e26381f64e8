import { Worker } from "node:worker_threads";
import { sumError } from "../commit/counter.ts";
import { checkPartition } from "../commit/refusals.ts";
import { createWokenKeys, isWake, readWake } from "../commit/woken-keys.ts";
import type { WokenKeys } from "../commit/woken-keys.ts";
import { decodeKey } from "../keys/key-codec.ts";
import type { Commit, CommitResult, Key } from "../port.ts";
import { reasonOfSystemError } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";
import type { Refusal } from "./apply-commits.ts";
import { bufferBytes, createCommitBuffer } from "./commit-buffer.ts";
import { isDiskFull, noRoom } from "./disk-room.ts";
import type { WriteFailure, WriterData, WriterReply, WriterRequest } from "./writer-messages.ts";

/** Sends commits to the thread that writes them. */
export interface Writer {
  /** Resolves once the commit is durable. */
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /** Removes one window of expired entries and answers how many it looked at. */
  sweep(limit: number): Promise<number>;
  /** Finishes what has been asked for, and ends the thread. */
  close(): Promise<void>;
}

/** What is left of a commit once it is written down; its arrays are the caller's again. */
interface Waiting {
  readonly partition: string;
  /** Whether it tells anybody, and of what. */
  readonly wake: boolean | readonly Key[];
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

const committed: CommitResult = Object.freeze({ ok: true });

/**
 * One group is written and one lies ready behind it, so that the disk never waits for the event loop, which may be busy for
 * milliseconds. What comes meanwhile is collected for the next: a slow disk makes larger groups, not more memory.
 */
const mostGroupsUnderWay = 2;
const mostSpareBuffers = 4;

/** @throws {StorageError} `directory_unusable`, `unavailable` */
export async function openWriter(options: {
  readonly threadUrl: URL;
  readonly directory: string;
  readonly now: () => number;
  /** Told of commits with `wake` once they are durable. */
  readonly onWake: (partition: string, beneath: readonly Key[] | undefined) => void;
}): Promise<Writer> {
  const { threadUrl, directory, now, onWake } = options;
  const workerData: WriterData = { directory };
  // Its heap holds next to nothing; the default young generation would only let garbage lie about.
  const thread = new Worker(threadUrl, {
    workerData,
    execArgv: [],
    name: "hookwright-storage",
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const spare: ArrayBuffer[] = [];
  const sent: Waiting[][] = [];
  const sweeps: ((looked: number) => void)[] = [];
  let collected: Waiting[] = [];
  let isFlushPlanned = false;
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

  /** Nothing under way is no reason to keep the process alive. What is to be closed is, until the thread has ended. */
  function holdProcess(): void {
    if (closing || sent.length > 0 || sweeps.length > 0) thread.ref();
    else thread.unref();
  }

  function send(): void {
    if (buffer.isEmpty()) return;
    const { bytes, length } = buffer.take();
    sent.push(collected);
    collected = [];
    post({ type: "commits", group: { bytes, length, now: now() } }, [bytes]);
    holdProcess();
  }

  /** Once a turn of the event loop, so that everything which asks in that turn shares a flush. */
  function planFlush(): void {
    if (isFlushPlanned) return;
    isFlushPlanned = true;
    setImmediate(() => {
      isFlushPlanned = false;
      if (sent.length < mostGroupsUnderWay) send();
    });
  }

  function settle(
    groups: readonly Waiting[][],
    refusals: readonly Refusal[],
    failure: WriteFailure | undefined,
  ): void {
    const waiting = groups.length === 1 ? (groups[0] ?? []) : groups.flat();
    if (failure !== undefined) {
      const isFull = failure.message.startsWith(noRoom) || isDiskFull(directory);
      const error = new StorageError(
        "unavailable",
        `The database in ${directory} could not be written: ${isFull ? "there is no room left on its disk" : "look after the disk"} (${failure.message}). Nothing of the commit was stored; try again once that is put right.`,
        { isFull, reason: isFull ? "disk_full" : reasonOfSystemError(failure.code) },
      );
      for (const { reject } of waiting) reject(error);
      return;
    }
    let next = 0;
    const woken = new Map<string, WokenKeys>();
    waiting.forEach((one, index) => {
      const refusal = refusals[next]?.commit === index ? refusals[next++] : undefined;
      if (refusal === undefined) {
        if (one.wake !== false) addWake(woken, one.partition, one.wake);
        one.resolve(committed);
      } else refuse(one, refusal);
    });
    for (const [partition, keys] of woken) onWake(partition, keys.joined());
  }

  function breakDown(cause: unknown): void {
    broken ??= new StorageError(
      "unavailable",
      `The thread that writes to ${directory} has ended: what it had not confirmed may or may not be stored. Open the store again.`,
      { cause },
    );
    for (const { reject } of [...sent.flat(), ...collected]) reject(broken);
    for (const done of sweeps.splice(0)) done(0);
    sent.length = 0;
    collected = [];
  }

  await new Promise<void>((resolve, reject) => {
    thread.once("message", () => resolve());
    thread.once("error", reject);
  }).catch((cause: unknown) => {
    throw new StorageError(
      "unavailable",
      `The thread that writes to ${directory} could not be started: see the cause. Where the server is bundled, keep @hookwright/storage out of the bundle.`,
      { cause },
    );
  });
  thread.removeAllListeners("error");
  thread.on("error", breakDown);
  thread.on("exit", () => {
    exited = true;
    breakDown(undefined);
  });
  thread.on("message", (reply: WriterReply) => {
    if (reply.type === "swept") sweeps.shift()?.(reply.looked);
    if (reply.type === "committed") {
      for (const bytes of reply.buffers) {
        if (bytes.byteLength === bufferBytes && spare.length < mostSpareBuffers) spare.push(bytes);
      }
      settle(sent.splice(0, reply.groups), reply.refusals, reply.failure);
      if (sent.length < mostGroupsUnderWay) send();
    }
    holdProcess();
  });
  holdProcess();

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        if (broken !== undefined) throw broken;
        checkPartition(partition);
        const wake = isWake(commit.wake) && (readWake(commit.wake, partition) ?? true);
        buffer.append(partition, commit);
        collected.push({
          partition,
          wake,
          resolve,
          reject,
        });
        planFlush();
      });
    },
    sweep(limit) {
      if (broken !== undefined) return Promise.resolve(0);
      return new Promise((resolve) => {
        sweeps.push(resolve);
        post({ type: "sweep", now: now(), limit });
        holdProcess();
      });
    },
    async close() {
      send();
      if (exited) return;
      const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
      closing = true;
      holdProcess();
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

function addWake(woken: Map<string, WokenKeys>, partition: string, wake: true | readonly Key[]): void {
  const keys = woken.get(partition) ?? createWokenKeys();
  woken.set(partition, keys);
  keys.add(wake === true ? undefined : wake);
}
