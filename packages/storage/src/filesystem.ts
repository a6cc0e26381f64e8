import type { Key, Store } from "./port.ts";
import { closedError, checkPartition } from "./commit/refusals.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import { openReader } from "./filesystem/reader.ts";
import { prepareDirectory } from "./filesystem/directory.ts";
import { loadLmdb } from "./filesystem/load-lmdb.ts";
import { watchersOf } from "./filesystem/watchers-of.ts";
import { openWakeFile } from "./filesystem/wake-file.ts";
import { openWriter } from "./filesystem/writer.ts";

export { copyFilesystemStore } from "./filesystem/copy-store.ts";

/** Beside this module, in the sources (which Node runs as they are) and in the built package. */
const threadUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./filesystem/writer-thread.ts" : "./filesystem/writer-thread.js",
  import.meta.url,
);

/**
 * Opens a store in a directory of a local disk, on LMDB. It survives crashes at any moment, may be larger than memory, and
 * may be open in several processes of one machine at once.
 *
 * A commit resolves when it is on the disk; commits that are asked for together share one flush. Reads are answered from the
 * memory map, on the calling thread: data that is not in the page cache makes them wait for the disk.
 *
 * @param options.directory is created if need be, for its owner alone (mode 0700)
 * @param options.now the clock expiry is judged by, ms since the epoch. @default Date.now
 * @param options.sweepIntervalMs how often expired entries are removed; they are invisible at once. @default 10000
 * @throws {StorageError} `missing_dependency` without the package `lmdb`; `directory_unusable`, `unavailable`
 * @example
 * const store = await openFilesystemStore({ directory: "./data" });
 * await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
 */
export async function openFilesystemStore(options: {
  readonly directory: string;
  readonly now?: (() => number) | undefined;
  readonly sweepIntervalMs?: number | undefined;
}): Promise<Store> {
  const { now = Date.now, sweepIntervalMs = 10_000 } = options;
  const lmdb = await loadLmdb();
  const directory = prepareDirectory(options.directory);
  const reader = openReader({ lmdb, directory, now });
  const watchers = watchersOf(directory);
  const { wakes, writer } = await openWriting().catch(async (error: unknown) => {
    await reader.close();
    throw error;
  });
  const sweeper = createSweepTimer({
    intervalMs: sweepIntervalMs,
    sweep: async () => ((await writer.sweep(sweepWindow)) === sweepWindow ? "more" : "later"),
  });
  sweeper.start();
  const watches = new Set<() => void>();
  let closing: Promise<void> | undefined;

  async function openWriting() {
    const wakes = openWakeFile({ directory, onWake: watchers.wake });
    const onWake = (partition: string, beneath: readonly Key[] | undefined): void => {
      watchers.wake(partition, beneath);
      wakes.tell(partition, beneath);
    };
    try {
      return { wakes, writer: await openWriter({ threadUrl, directory, now, onWake }) };
    } catch (error) {
      wakes.close();
      throw error;
    }
  }

  function assertOpen(): void {
    if (closing !== undefined) throw closedError();
  }

  function close(): Promise<void> {
    sweeper.stop();
    // Others in this process may have the directory open still, and wake whoever watches it.
    for (const unwatch of watches) unwatch();
    closing ??= writer
      .close()
      .finally(wakes.close)
      .then(() => reader.close());
    return closing;
  }

  return {
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
    async commit(partition, commit) {
      assertOpen();
      return writer.commit(partition, commit);
    },
    watch(partition, listener) {
      assertOpen();
      checkPartition(partition);
      wakes.listen();
      const end = watchers.watch(partition, listener);
      const unwatch = (): void => {
        watches.delete(unwatch);
        end();
      };
      watches.add(unwatch);
      return unwatch;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
