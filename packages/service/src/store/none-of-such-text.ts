import { StorageError } from "@hookwright/storage";

const codes: ReadonlySet<string> = new Set(["key_too_long", "invalid_key"]);

/**
 * A text that somebody filters by may be longer than any key can be, or hold half of a surrogate pair. No row has it then, so
 * `none` is the answer.
 */
export async function orNoneOfSuchText<Result>(none: Result, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StorageError && codes.has(error.code)) return none;
    throw error;
  }
}
