import type { Key, Store } from "./port.ts";
import { closedError, refuseTakes } from "./commit/refusals.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import { createWatchers, type Watchers } from "./commit/watchers.ts";
import { openNotificationFile } from "./filesystem/notification-file.ts";
import { openReader } from "./filesystem/reader.ts";
import { prepareDirectory } from "./filesystem/directory.ts";
import { readDiskFacts, readDiskSpace } from "./filesystem/disk-space.ts";
import { loadLmdb } from "./filesystem/load-lmdb.ts";
import { openWriter } from "./filesystem/writer.ts";

export { copyFilesystemStore } from "./filesystem/copy-store.ts";
export { explainFileAccess, giveToOwner } from "./filesystem/file-access.ts";
export { requireLmdb } from "./filesystem/load-lmdb.ts";

/**
 * The writer thread's module. Node runs the sources directly, so the extension differs from the built
 * package.
 */
const threadUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./filesystem/writer-thread.ts" : "./filesystem/writer-thread.js",
  import.meta.url,
);

const watchersOfDirectories = new Map<string, WeakRef<Watchers>>();

/**
 * Opens a store in a directory of a local disk, on LMDB. The store survives crashes and may be larger than
 * memory. Several processes of one machine may open it at once.
 *
 * A commit resolves when it is on the disk. Concurrent commits share one flush. Reads run on the calling
 * thread, so data that is not in the page cache blocks it.
 *
 * @param options.directory is created if necessary, with access for its owner only (mode 0700)
 * @param options.now the clock of the store, ms since the epoch. It decides which entries have expired.
 *   @default the clock of the machine
 * @param options.sweepIntervalMs how often the store removes expired entries. They are absent at once.
 *   @default 10000
 * @throws {StorageError} `missing_dependency` without the package `lmdb`; `directory_unusable`, `in_use`, `unavailable`
 * @example
 * const store = await openFilesystemStore({ directory: "./data" });
 * await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
 */
export async function openFilesystemStore(options: {
  readonly directory: string;
  readonly now?: (() => number) | undefined;
  readonly sweepIntervalMs?: number | undefined;
}): Promise<Store> {
  const { now, sweepIntervalMs = 10_000 } = options;
  const lmdb = await loadLmdb();
  const directory = prepareDirectory(options.directory);
  const watchers = watchersOf(directory);
  // First, because its thread may have to wait for other processes. The event loop goes on meanwhile.
  const { notifications, writer } = await openWriting();
  const reader = await openReading();
  const sweeper = createSweepTimer({
    intervalMs: sweepIntervalMs,
    sweep: async () => ((await writer.sweep(sweepWindow)) === sweepWindow ? "more" : "later"),
  });
  sweeper.start();
  const watches = new Set<() => void>();
  let closing: Promise<void> | undefined;

  async function openWriting() {
    const notifications = openNotificationFile({ directory, onNotify: watchers.notify });
    const onNotify = (keys: readonly Key[]): void => {
      watchers.notify(keys);
      notifications.notify(keys);
    };
    try {
      return { notifications, writer: await openWriter({ threadUrl, directory, now, onNotify }) };
    } catch (error) {
      notifications.close();
      throw error;
    }
  }

  async function openReading() {
    try {
      return openReader({ lmdb, directory, now: now ?? Date.now });
    } catch (error) {
      await writer.close().finally(notifications.close);
      throw error;
    }
  }

  function assertOpen(): void {
    if (closing !== undefined) throw closedError();
  }

  function close(): Promise<void> {
    sweeper.stop();
    // Other stores of this process may share the watchers of the directory.
    for (const unwatch of watches) unwatch();
    closing ??= writer
      .close()
      .finally(notifications.close)
      .then(() => reader.close());
    return closing;
  }

  return {
    name: "filesystem",
    async get(key) {
      assertOpen();
      return reader.get(key);
    },
    async getMany(keys) {
      assertOpen();
      return reader.getMany(keys);
    },
    async list(listOptions) {
      assertOpen();
      return reader.list(listOptions);
    },
    async count(countOptions) {
      assertOpen();
      return reader.count(countOptions);
    },
    async commit(partition, commit) {
      assertOpen();
      refuseTakes(commit);
      return writer.commit(partition, commit);
    },
    watch(listener) {
      assertOpen();
      notifications.listen();
      const end = watchers.watch(listener);
      const unwatch = (): void => {
        watches.delete(unwatch);
        end();
      };
      watches.add(unwatch);
      return unwatch;
    },
    readSpace: () => readDiskSpace(directory),
    readFacts: () => readDiskFacts(directory),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the watchers that all stores of this process share for a directory, given by its real path. */
function watchersOf(directory: string): Watchers {
  const known = watchersOfDirectories.get(directory)?.deref();
  if (known !== undefined) return known;
  const watchers = createWatchers();
  watchersOfDirectories.set(directory, new WeakRef(watchers));
  return watchers;
}
