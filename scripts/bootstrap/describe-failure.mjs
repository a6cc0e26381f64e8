import { BootstrapError } from "./bootstrap-error.mjs";

const NOT_PERMITTED =
  "this user may not write there. Make it the owner of the folder (chown), or clone into one of its own";

/** Why a file could not be written and what to do about it, by the system's code. */
const REMEDIES = new Map([
  ["EACCES", NOT_PERMITTED],
  ["EPERM", NOT_PERMITTED],
  ["EROFS", "the file system is read-only. Clone into a folder that can be written"],
  ["ENOSPC", "the disk is full. Make room"],
  ["EDQUOT", "this user has used up the room it may use. Make some"],
]);

/**
 * What is printed of an error that ends a run: words where the person at the keyboard can do something about it, else the stack.
 *
 * @param {unknown} error
 */
export function describeFailure(error) {
  if (error instanceof BootstrapError)
    return error.output ? `${error.output}\n\n${error.message}` : error.message;
  if (!(error instanceof Error)) return String(error);
  const { code = "", path = "A file", syscall = "spawn" } = /** @type {NodeJS.ErrnoException} */ (error);
  const remedy = REMEDIES.get(code);
  // A program that may not be started has these codes too.
  if (remedy === undefined || syscall.startsWith("spawn")) return error.stack;
  return `${path} cannot be written: ${remedy}, and run the command again. (${code})`;
}
