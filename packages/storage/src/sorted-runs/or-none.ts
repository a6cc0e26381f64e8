import { StorageError } from "../storage-error.ts";

const codes: ReadonlySet<string> = new Set(["key_too_long", "invalid_key"]);

/**
 * Runs a read whose prefix contains text from outside. The text may be too long for a key, or contain half of a surrogate pair. No entry
 * has such a key, so the result is `none`.
 */
export async function orNone<Result>(none: Result, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StorageError && codes.has(error.code)) return none;
    throw error;
  }
}
