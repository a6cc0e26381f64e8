import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** As many files are open as this process may have, or this machine. */
const codes: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

/** Whether no connection was made because nothing more can be opened here: no receiver can do anything about that. */
export function isLackOfDescriptors(error: unknown): error is Error {
  // Of several addresses each was tried.
  if (error instanceof AggregateError && error.errors.some(isLackOfDescriptors)) return true;
  if (!(error instanceof Error)) return false;
  return ("code" in error && codes.has(error.code)) || isLackOfDescriptors(error.cause);
}

/** What the system says when something is opened, where nothing more can be. */
export function findLackOfDescriptors(): Error | undefined {
  try {
    closeSync(openSync(devNull, "r"));
    return undefined;
  } catch (error) {
    return isLackOfDescriptors(error) ? error : undefined;
  }
}
