import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { checkPartition, closedError } from "./commit/refusals.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import { createWatchers } from "./commit/watchers.ts";
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

/** The number of parts that together have the size of `checkpointSize`. */
const partsPerCheckpoint = 16;

export interface UnstorageStoreOptions {
  /**
   * A storage from unstorage's `createStorage` or `prefixStorage`. Closing the store does not dispose of it.
   */
  readonly storage: ItemStorage;
  /** The clock of the store, ms since the epoch. It decides which entries have expired. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** How often the store removes expired entries; they are absent at once. @default 1000 */
  readonly sweepIntervalMs?: number | undefined;
  /** The interval of heartbeats. After three missed heartbeats the store counts as dead. @default 5000 */
  readonly heartbeatMs?: number | undefined;
  /** The time limit of one driver call. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /**
   * The log size, in characters, that triggers a checkpoint, or half the size of the stored data if that is
   * larger. @default 4194304
   */
  readonly checkpointSize?: number | undefined;
  /**
   * Receives errors of background work that is retried, such as checkpoints and heartbeats. @default errors
   * are ignored
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Opens a store on any unstorage driver that can list its keys and whose reads see earlier writes.
 *
 * All data is held in memory. A commit resolves when it is in a log in the storage. Its durability depends on
 * the driver: the file drivers do not flush, so a power failure may lose commits. Concurrent commits share
 * one log item. Only one process may open a storage. A second one is detected as well as possible without
 * conditional writes.
 *
 * @throws {StorageError} `in_use` if another process has it open; `corrupted` if acknowledged commits are
 *   missing or damaged; `unavailable` if the driver fails; `invalid_argument`
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
  const watchers = createWatchers();
  const partSize = Math.ceil(checkpointSize / partsPerCheckpoint);

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
      minSize: checkpointSize,
      initial: replayed,
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
      const { checked, removed } = rows.sweep(sweepWindow);
      // Not logged, because a replay removes expired entries too. The next checkpoint removes them from the
      // parts.
      for (const key of removed) parts.mark(key);
      return checked === sweepWindow ? "more" : "later";
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
    name: "unstorage",
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
    watch(listener) {
      assertOpen();
      return watchers.watch(listener);
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
    "storage must be an unstorage storage. Pass the result of createStorage({ driver }).",
  );
}

function lostError(): StorageError {
  return new StorageError(
    "in_use",
    "Another process has taken over the storage, because this process missed its heartbeats. Close this store, and open it again when the other process has ended.",
  );
}
