import { performance } from "node:perf_hooks";
import { prepareCommit } from "./commit/prepare-commit.ts";
import { checkPartition, closedError } from "./commit/refusals.ts";
import { createWatchers } from "./commit/watchers.ts";
import { createRowsInMemory } from "./memory/rows-in-memory.ts";
import type { Store } from "./port.ts";
import { StorageError } from "./storage-error.ts";
import { createItems, type ItemStorage } from "./unstorage/items.ts";
import { createLogWriter } from "./unstorage/log-writer.ts";
import { replayLog } from "./unstorage/log.ts";
import { takeOwnership } from "./unstorage/ownership.ts";

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
   * The size of the log, in characters, from which all rows are copied to its end and the older part is removed.
   * Half the size of the stored data if that is larger. @default 4194304
   */
  readonly snapshotSize?: number | undefined;
  /**
   * Receives errors of background work that is retried: heartbeats, and the copying of rows. @default errors are
   * ignored
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
    snapshotSize = 4 * 1024 * 1024,
    onError = () => {},
  } = options;
  checkStorage(storage);
  const items = createItems({ storage, timeoutMs });
  const ownership = await takeOwnership({ items, heartbeatMs, now, onError, clock: () => performance.now() });
  const rows = createRowsInMemory({ now, sweepIntervalMs, assertOpen });
  const watchers = createWatchers();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw closedError();
    ownership.assertOwned();
  }

  const state = await replayLog(items, ({ key, held }) => rows.apply(key, held)).catch(
    async (error: unknown) => {
      rows.close();
      await ownership.release();
      throw error;
    },
  );
  const log = createLogWriter({ items, ownership, state, rows, watchers, now, snapshotSize, onError });

  async function closeOnce(): Promise<void> {
    await log.ended();
    rows.close();
    await ownership.release();
  }

  function close(): Promise<void> {
    closing ??= closeOnce();
    return closing;
  }

  return {
    name: "unstorage",
    ...rows.reads,
    async commit(partition, commit) {
      assertOpen();
      checkPartition(partition);
      return log.commit(prepareCommit(partition, commit));
    },
    watch(listener) {
      assertOpen();
      return watchers.watch(listener);
    },
    readFacts: async () => ({ unsafe: [], safe: "each commit is as durable as a write of its driver" }),
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
