import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { createPartitionWatchers } from "./commit/partition-watchers.ts";
import { checkPartition, closedError } from "./commit/refusals.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import type { Store } from "./port.ts";
import { StorageError } from "./storage-error.ts";
import { createCheckpointer } from "./unstorage/checkpointer.ts";
import { createCheckpointSchedule } from "./unstorage/checkpoint-schedule.ts";
import { createCommitQueue } from "./unstorage/commit-queue.ts";
import { createItems, type ItemStorage } from "./unstorage/items.ts";
import { createJournal } from "./unstorage/journal.ts";
import { takeOwnership } from "./unstorage/ownership.ts";
import { createParts } from "./unstorage/parts.ts";
import { prepareCommit } from "./commit/prepare-commit.ts";
import { recover } from "./unstorage/recover.ts";
import { createRows } from "./unstorage/rows.ts";

/** A checkpoint writes what has changed in parts of this share of `checkpointSize`. */
const partsOfCheckpoint = 16;

export interface UnstorageStoreOptions {
  /** From unstorage's `createStorage` or `prefixStorage`. It stays the caller's: closing the store does not dispose of it. */
  readonly storage: ItemStorage;
  /** The clock expiry is judged by, ms since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** How often expired entries are removed; they are invisible at once. @default 1000 */
  readonly sweepIntervalMs?: number | undefined;
  /** How often the store says in the storage that it is open; after three times as long it counts as dead. @default 5000 */
  readonly heartbeatMs?: number | undefined;
  /** How long one call of the driver may take before it counts as failed. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Characters of log after which a checkpoint is due, or half of what the store holds, if that is more. @default 4194304 */
  readonly checkpointSize?: number | undefined;
  /** Gets errors of work in the background that is tried again: a checkpoint, a heartbeat. @default they are dropped */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Opens a store over any unstorage driver that lists, and shows what was written to whoever reads after it.
 *
 * All data is held in memory. A commit resolves when it is in a log in the storage; how durable that is, the driver decides
 * (its file drivers do not flush: what they took survives the process, not a power cut). Commits that are asked for together
 * share one item of the log. One process at a time: a second one is refused as well as a driver without conditional writes
 * allows.
 *
 * @throws {StorageError} `in_use` while another process has it open; `corrupted` where acknowledged commits are missing or
 *   changed; `unavailable` where the driver fails; `invalid_argument`
 * @example
 * import { createStorage } from "unstorage";
 * import fsDriver from "unstorage/drivers/fs";
 *
 * const store = await openUnstorageStore({ storage: createStorage({ driver: fsDriver({ base: "./data" }) }) });
 */
export async function openUnstorageStore(options: UnstorageStoreOptions): Promise<Store> {
  const {
    storage,
    now = Date.now,
    sweepIntervalMs = 1_000,
    heartbeatMs = 5_000,
    timeoutMs = 30_000,
    checkpointSize = 4 * 1024 * 1024,
    onError = () => {},
  } = options;
  checkStorage(storage);
  const items = createItems({ storage, timeoutMs });
  const ownership = await takeOwnership({
    items,
    heartbeatMs,
    onError,
    random: () => randomBytes(8).toString("hex"),
    clock: () => performance.now(),
  });
  const rows = createRows({ now });
  const watchers = createPartitionWatchers();
  const partSize = Math.ceil(checkpointSize / partsOfCheckpoint);

  async function build() {
    const found = await items.list();
    const changed = new Set<string>();
    const { manifest, position, replayed } = await recover({
      items,
      names: found,
      apply({ key, text, expiresAt }, isReplayed) {
        rows.put(key, text === undefined ? undefined : { text, expiresAt });
        if (isReplayed) changed.add(key);
      },
    });
    const parts = createParts(manifest?.parts ?? [], partSize / 4);
    for (const key of changed) parts.mark(key);
    const journal = createJournal({ items, ownership, position, found });
    const checkpointer = createCheckpointer({
      items,
      ownership,
      journal,
      rows,
      parts,
      partSize,
      found,
      onError,
    });
    const schedule = createCheckpointSchedule({
      run: checkpointer.run,
      heldSize: () => parts.entries.reduce((sum, { size }) => sum + size, 0),
      leastSize: checkpointSize,
      behind: replayed,
      clock: () => performance.now(),
      onError,
    });
    const queue = createCommitQueue({
      journal,
      ownership,
      rows,
      parts,
      watchers,
      now,
      onGroup: schedule.grown,
    });
    return { parts, queue, schedule };
  }

  const { parts, queue, schedule } = await build().catch(async (error: unknown) => {
    await ownership.release();
    throw error;
  });
  const sweeper = createSweepTimer({
    intervalMs: sweepIntervalMs,
    async sweep() {
      const { looked, removed } = rows.sweep(sweepWindow);
      // Not logged: whoever replays the log sees for himself what has expired. But the parts are to lose it some day.
      for (const key of removed) parts.mark(key);
      return looked === sweepWindow ? "more" : "later";
    },
  });
  sweeper.start();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw closedError();
    if (ownership.isLost()) throw lostError();
  }

  async function closeOnce(): Promise<void> {
    sweeper.stop();
    await queue.drained();
    await schedule.ended();
    await ownership.release();
  }

  function close(): Promise<void> {
    closing ??= closeOnce();
    return closing;
  }

  return {
    async get(key) {
      assertOpen();
      return rows.get(key);
    },
    async getMany(keys) {
      assertOpen();
      return keys.map((key) => rows.get(key));
    },
    async list(listOptions) {
      assertOpen();
      return rows.list(listOptions);
    },
    async commit(partition, commit) {
      assertOpen();
      checkPartition(partition);
      return queue.commit(prepareCommit(partition, commit));
    },
    watch(partition, listener) {
      assertOpen();
      checkPartition(partition);
      return watchers.watch(partition, listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function checkStorage(storage: unknown): void {
  const methods = ["getItem", "setItem", "removeItem", "getKeys"];
  if (typeof storage === "object" && storage !== null && methods.every((method) => method in storage)) return;
  throw new StorageError(
    "invalid_argument",
    "storage must be a storage of unstorage: pass what createStorage({ driver }) answers.",
  );
}

function lostError(): StorageError {
  return new StorageError(
    "in_use",
    "Another process has taken the storage over, because this one had not been heard of for a while: close this store, and open it again once the other one has ended.",
  );
}
