import type { DuplicateStorage } from "./duplicate-storage.ts";

/** As much of unstorage's `Storage` as is needed. */
export interface ItemStorage {
  getItem(key: string): PromiseLike<unknown>;
  setItem(key: string, value: string, options?: { readonly ttl?: number }): PromiseLike<unknown>;
  removeItem(key: string): PromiseLike<unknown>;
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
 */
export function unstorageDuplicates(
  storage: ItemStorage,
  { now = Date.now }: { readonly now?: (() => number) | undefined } = {},
): DuplicateStorage {
  const lastSteps = lastStepsOf.get(storage) ?? new Map<string, Promise<unknown>>();
  lastStepsOf.set(storage, lastSteps);

  /** One after the other for each key. */
  async function inTurn<Result>(key: string, step: (item: string) => Promise<Result>): Promise<Result> {
    const before = lastSteps.get(key);
    const run = async (): Promise<Result> => {
      await before?.catch(() => {}); // its own caller is told
      return step(await itemName(key));
    };
    const result = run();
    lastSteps.set(key, result);
    try {
      return await result;
    } finally {
      if (lastSteps.get(key) === result) lastSteps.delete(key);
    }
  }

  async function readMark(item: string): Promise<string | null> {
    const value = await storage.getItem(item);
    const [, until, mark] = typeof value === "string" ? (/^(\d+) (.+)$/u.exec(value) ?? []) : [];
    if (mark === undefined) return null;
    if (Number(until) > now()) return mark;
    await storage.removeItem(item);
    return null;
  }

  async function write(item: string, mark: string, seconds: number): Promise<void> {
    // A driver that knows of expiry removes it by itself; of the others nobody would.
    const until = Math.ceil(now() + seconds * 1_000);
    await storage.setItem(item, `${until} ${mark}`, { ttl: Math.ceil(seconds) });
  }

  return {
    claim: (key, mark, seconds) =>
      inTurn(key, async (item) => {
        const known = await readMark(item);
        if (known === null) await write(item, mark, seconds);
        return known;
      }),
    put: (key, mark, seconds) => inTurn(key, (item) => write(item, mark, seconds)),
    remove: (key, mark) =>
      inTurn(key, async (item) => {
        if ((await readMark(item)) === mark) await storage.removeItem(item);
      }),
  };
}

/** unstorage folds some characters of keys, file systems the case of letters, and both bound the length: a hash is safe in all of them. */
async function itemName(key: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
