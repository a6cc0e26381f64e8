import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";
import { itemBase, parseItemName, type ItemName } from "./item-names.ts";
import { sealText, unsealText } from "./sealed-text.ts";

/**
 * The part of unstorage's `Storage` that the store uses. Declared here, because the declarations of this
 * package must compile without unstorage, an optional peer dependency.
 */
export interface ItemStorage {
  getItem(key: string): Promise<unknown>;
  getKeys(base?: string): Promise<string[]>;
  removeItem(key: string): Promise<void>;
  setItem(key: string, value: string): Promise<void>;
}

/** Sealed items in an unstorage storage. All driver errors become one of these results. */
export interface Items {
  /** Reads an item. `damaged`: the stored text is not the text that was written. */
  read(name: string): Promise<{ readonly json: string } | "absent" | "damaged">;
  /**
   * Writes an item. Rejects with `unavailable` if the driver fails or times out. The item may exist
   * nevertheless.
   */
  write(name: string, json: string): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<ItemName[]>;
}

/** @param options.timeoutMs the time limit of one driver call */
export function createItems(options: { readonly storage: ItemStorage; readonly timeoutMs: number }): Items {
  const { storage, timeoutMs } = options;
  const prefix = `${itemBase}:`;

  async function call<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(noAnswer(timeoutMs)), timeoutMs);
    });
    try {
      return await Promise.race([act(), timeout]);
    } catch (cause) {
      throw unavailable(what, cause);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async read(name) {
      const what = `read the item ${prefix}${name}`;
      const found: unknown = await call(what, () => storage.getItem(prefix + name));
      if (found === null || found === undefined) return "absent";
      // unstorage's file drivers return disk errors as values.
      if (found instanceof Error) throw unavailable(what, found);
      const json = typeof found === "string" ? unsealText(name, found) : undefined;
      return json === undefined ? "damaged" : { json };
    },
    write: (name, json) =>
      call(`write the item ${prefix}${name}`, async () =>
        storage.setItem(prefix + name, sealText(name, json)),
      ),
    remove: (name) => call(`remove the item ${prefix}${name}`, () => storage.removeItem(prefix + name)),
    async list() {
      const keys = await call("list its items", () => storage.getKeys(itemBase));
      return keys
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => parseItemName(key.slice(prefix.length)) ?? []);
    },
  };
}

function noAnswer(timeoutMs: number): StorageError {
  return new StorageError("unavailable", `no answer within ${timeoutMs} ms`, { reason: "no_answer" });
}

function unavailable(what: string, cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StorageError("unavailable", `The unstorage driver failed to ${what} (${reason}).`, {
    cause,
    reason: findReason(cause),
  });
}
