import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** As many files are open as this process may have, or this machine. */
const codes: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

export function isDescriptorShortage(error: unknown): error is Error {
  return error instanceof Error && "code" in error && codes.has(error.code);
}

/** What the system says when something is opened, where nothing more can be. */
export function findDescriptorShortage(): Error | undefined {
  try {
    closeSync(openSync(devNull, "r"));
    return undefined;
  } catch (error) {
    return isDescriptorShortage(error) ? error : undefined;
  }
}
