import { StorageError } from "@hookwright/storage";

/** A text that somebody filters by may be longer than any key can be. No row has it then, so `none` is the answer. */
export async function orNoneThatLong<Result>(none: Result, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StorageError && error.code === "key_too_long") return none;
    throw error;
  }
}
