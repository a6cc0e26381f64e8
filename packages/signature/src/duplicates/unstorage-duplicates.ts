import type { DuplicateStorage } from "./duplicate-storage.ts";

/** As much of unstorage's `Storage` as is needed. */
export interface ItemStorage {
  getItem(key: string): PromiseLike<unknown>;
  setItem(key: string, value: string, options?: { readonly ttl?: number }): PromiseLike<unknown>;
  removeItem(key: string): PromiseLike<unknown>;
  getKeys(): PromiseLike<readonly string[]>;
}

export interface UnstorageDuplicates extends DuplicateStorage {
  /**
   * Removes every mark whose time is over, of all guards over this storage, and answers how many they were. Drivers that know of expiry
   * do so by themselves; over others call it now and then, such as once a day. It looks at one item after the other and leaves
   * alone what is no mark.
   */
  sweep(): Promise<number>;
}

/** The last step of each key that is being worked on, for all guards over one storage: the next one waits for it. */
const lastStepsOf = new WeakMap<ItemStorage, Map<string, Promise<unknown>>>();

/**
 * What a guard knows, in any unstorage storage: files, a bucket, a database. For one process at a time: unstorage has no step that looks
 * and writes at once, so two processes that are sent one event at the same moment may both handle it. `redisDuplicates` is for those.
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

  /** One after the other for each item. */
  async function inTurn<Result>(item: string, step: () => Promise<Result>): Promise<Result> {
    const before = lastSteps.get(item);
    const run = async (): Promise<Result> => {
      await before?.catch(() => {}); // its own caller is told
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
    if (kept === undefined || (await removeIfOver(item, kept))) return null;
    return kept.mark;
  }

  async function removeIfOver(item: string, { until }: { readonly until: number }): Promise<boolean> {
    if (until > now()) return false;
    await storage.removeItem(item);
    return true;
  }

  async function write(item: string, mark: string, seconds: number): Promise<void> {
    // A driver that knows of expiry removes it by itself; of the others nobody would.
    const until = Math.ceil(now() + seconds * 1_000);
    await storage.setItem(item, `hookwright ${until} ${mark}`, { ttl: Math.ceil(seconds) });
  }

  return {
    async claim(key, mark, seconds) {
      const item = await itemName(key);
      return inTurn(item, async () => {
        const known = await readMark(item);
        if (known === null) await write(item, mark, seconds);
        return known;
      });
    },
    async put(key, mark, seconds) {
      const item = await itemName(key);
      await inTurn(item, () => write(item, mark, seconds));
    },
    async remove(key, mark) {
      const item = await itemName(key);
      await inTurn(item, async () => {
        if ((await readMark(item)) === mark) await storage.removeItem(item);
      });
    },
    async sweep() {
      let removed = 0;
      for (const item of await storage.getKeys()) {
        if (!itemNames.test(item)) continue;
        const isRemoved = await inTurn(item, async () => {
          const kept = await readKept(item);
          return kept !== undefined && removeIfOver(item, kept);
        });
        if (isRemoved) removed += 1;
      }
      return removed;
    },
  };
}

const itemNames = /^[0-9a-f]{64}$/u;
/** Whose it is, so that nothing of somebody else's is taken for a mark; until when; and what. */
const marks = /^hookwright (\d+) (.+)$/u;

/** unstorage folds some characters of keys, file systems the case of letters, and both bound the length: a hash is safe in all of them. */
async function itemName(key: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
