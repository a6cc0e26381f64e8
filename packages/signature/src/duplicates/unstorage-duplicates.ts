import type { DuplicateStorage } from "./duplicate-storage.ts";

/** The part of unstorage's `Storage` that is used. */
export interface ItemStorage {
  getItem(key: string): PromiseLike<unknown>;
  setItem(key: string, value: string, options?: { readonly ttl?: number }): PromiseLike<unknown>;
  removeItem(key: string): PromiseLike<unknown>;
  getKeys(): PromiseLike<readonly string[]>;
}

export interface UnstorageDuplicates extends DuplicateStorage {
  /**
   * Removes all expired marks of all guards on this storage and returns their number. Drivers with expiry do
   * this themselves. With other drivers call it regularly, for example once a day. Other items stay.
   */
  sweep(): Promise<number>;
}

/** The last step of each active key, for all guards over one storage. The next step of the key waits for it. */
const lastStepsOf = new WeakMap<ItemStorage, Map<string, Promise<unknown>>>();

/**
 * Stores the marks of a guard in any unstorage storage: files, a bucket, a database. For one process at a time: unstorage has
 * no atomic compare-and-set, so two processes that receive an event at once may both handle it. Use `redisDuplicates` for those.
 *
 * @param options.now milliseconds since the epoch. @default Date.now
 * @example
 * const storage = unstorageDuplicates(createStorage({ driver: fsDriver({ base: "./handled" }) }));
 * setInterval(() => storage.sweep().catch(console.error), 86_400_000).unref();
 */
export function unstorageDuplicates(
  storage: ItemStorage,
  { now = Date.now }: { readonly now?: (() => number) | undefined } = {},
): UnstorageDuplicates {
  const lastSteps = lastStepsOf.get(storage) ?? new Map<string, Promise<unknown>>();
  lastStepsOf.set(storage, lastSteps);

  /** Runs the steps of each item one after the other. */
  async function runInOrder<Result>(item: string, step: () => Promise<Result>): Promise<Result> {
    const before = lastSteps.get(item);
    const run = async (): Promise<Result> => {
      await before?.catch(() => {}); // its own caller gets the error
      return step();
    };
    const result = run();
    lastSteps.set(item, result);
    try {
      return await result;
    } finally {
      if (lastSteps.get(item) === result) lastSteps.delete(item);
    }
  }

  async function readKept(
    item: string,
  ): Promise<{ readonly mark: string; readonly until: number } | undefined> {
    const value = await storage.getItem(item);
    const [, until, mark] = typeof value === "string" ? (marks.exec(value) ?? []) : [];
    return mark === undefined ? undefined : { mark, until: Number(until) };
  }

  async function readMark(item: string): Promise<string | null> {
    const kept = await readKept(item);
    if (kept === undefined || (await removeIfExpired(item, kept))) return null;
    return kept.mark;
  }

  async function removeIfExpired(item: string, { until }: { readonly until: number }): Promise<boolean> {
    if (until > now()) return false;
    await storage.removeItem(item);
    return true;
  }

  async function write(item: string, mark: string, seconds: number): Promise<void> {
    // A driver with expiry removes it by `ttl`. `sweep` needs the time for the other drivers.
    const until = Math.ceil(now() + seconds * 1_000);
    await storage.setItem(item, `hookwright ${until} ${mark}`, { ttl: Math.ceil(seconds) });
  }

  return {
    async claim(key, mark, seconds) {
      const item = await itemName(key);
      return runInOrder(item, async () => {
        const known = await readMark(item);
        if (known === null) await write(item, mark, seconds);
        return known;
      });
    },
    async put(key, mark, seconds) {
      const item = await itemName(key);
      await runInOrder(item, () => write(item, mark, seconds));
    },
    async remove(key, mark) {
      const item = await itemName(key);
      await runInOrder(item, async () => {
        if ((await readMark(item)) === mark) await storage.removeItem(item);
      });
    },
    async sweep() {
      let removed = 0;
      for (const item of await storage.getKeys()) {
        if (!itemNames.test(item)) continue;
        const isRemoved = await runInOrder(item, async () => {
          const kept = await readKept(item);
          return kept !== undefined && removeIfExpired(item, kept);
        });
        if (isRemoved) removed += 1;
      }
      return removed;
    },
  };
}

const itemNames = /^[0-9a-f]{64}$/u;
/** The owner, so that other programs' items are not taken for marks; the expiry; the mark. */
const marks = /^hookwright (\d+) (.+)$/u;

/** unstorage folds some characters of keys, file systems fold case, and both limit the length. A hash is safe in all of them. */
async function itemName(key: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
