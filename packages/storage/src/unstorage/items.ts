import { hash } from "node:crypto";
import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";

/** The store's items in the caller's storage. */
const prefix = "hookwright:";
/** Incremented when older versions cannot read the items. */
const format = 2;

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

/** Texts with checksums in an unstorage storage. Every driver error is a `StorageError` with `unavailable`. */
export interface Items {
  /** Returns the text that was written. `damaged`: the stored text is another one. */
  read(name: string): Promise<{ readonly text: string } | "absent" | "damaged">;
  /** Writes an item. If it rejects, the item may exist nevertheless, or appear later. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Returns all names in order. @throws {StorageError} `corrupted` for items of another version */
  list(): Promise<readonly string[]>;
}

/** @param options.timeoutMs the time limit of one driver call */
export function createItems(options: { readonly storage: ItemStorage; readonly timeoutMs: number }): Items {
  const { storage, timeoutMs } = options;

  async function call<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const error = new StorageError("unavailable", `no answer within ${timeoutMs} ms`, {
        reason: "no_answer",
      });
      timer = setTimeout(() => reject(error), timeoutMs);
    });
    try {
      const result = await Promise.race([act(), timeout]);
      // unstorage's file drivers return disk errors as values.
      if (result instanceof Error) throw result;
      return result;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The unstorage driver failed to ${what} (${reason}).`;
      throw new StorageError("unavailable", message, { cause, reason: findReason(cause) });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async read(name) {
      const found: unknown = await call(`read the item ${prefix}${name}`, () =>
        storage.getItem(prefix + name),
      );
      if (found === null || found === undefined) return "absent";
      return typeof found === "string" ? unseal(name, found) : "damaged";
    },
    write: (name, text) =>
      call(`write the item ${prefix}${name}`, async () => storage.setItem(prefix + name, seal(name, text))),
    remove: (name) => call(`remove the item ${prefix}${name}`, () => storage.removeItem(prefix + name)),
    async list() {
      const keys = await call("list its items", () => storage.getKeys(prefix.slice(0, -1)));
      const names = keys.flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
      const older = names.find((name) => /^(?:manifest|part):/u.test(name));
      if (older !== undefined) throw otherVersion(older);
      // A scan of Redis may return a key twice.
      return [...new Set(names.filter((name) => /^(?:log|owner):/u.test(name)))].toSorted();
    },
  };
}

/**
 * A line with a checksum, then the text. It begins with a letter, because unstorage parses texts that look like
 * JSON. The checksum includes the name, so an item under another name is detected.
 */
function seal(name: string, text: string): string {
  return `hookwright ${format} ${hash("sha256", `${name}\n${text}`)}\n${text}`;
}

function unseal(name: string, sealed: string): { readonly text: string } | "damaged" {
  const [, version] = /^hookwright (\d+) [0-9a-f]{32,64}\n/u.exec(sealed) ?? [];
  if (version !== undefined && Number(version) !== format) throw otherVersion(name);
  const text = sealed.slice(sealed.indexOf("\n") + 1);
  return seal(name, text) === sealed ? { text } : "damaged";
}

function otherVersion(name: string): StorageError {
  return new StorageError(
    "corrupted",
    `The item ${prefix}${name} has the layout of another version of @hookwright/storage. Open the storage with the version that wrote it, and move its accounts with \`hookwright export\` and \`hookwright import\`.`,
  );
}

/** The error of an item without which acknowledged commits would be lost. */
export function corruptedItem(name: string, what: string): StorageError {
  return new StorageError(
    "corrupted",
    `The item ${prefix}${name} ${what}. Acknowledged commits would be lost. Restore the storage from a backup. The store has changed nothing.`,
  );
}
