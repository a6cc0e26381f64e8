/** A problem that the user can solve. The message says how, so no stack is printed. */
export class ScriptError extends Error {
  /** @param {string} message @param {{ output?: string }} [options] `output`: what the failed program printed. */
  constructor(message, { output = "" } = {}) {
    super(message);
    this.name = "ScriptError";
    this.output = output;
  }
}

/** What to do about a file that cannot be written, by the code of the system. */
const REMEDIES = new Map([
  ["EACCES", "this user may not write there. Change the owner of the folder, or clone into one of your own"],
  ["EROFS", "the file system is read-only. Clone into a folder that can be written"],
  ["ENOSPC", "the disk is full. Make room"],
]);

/** The text that is printed for an error: a message if the user can act on it, otherwise the stack. @param {unknown} error */
export function describeFailure(error) {
  if (error instanceof ScriptError)
    return error.output ? `${error.output.trim()}\n\n${error.message}` : error.message;
  if (!(error instanceof Error)) return String(error);
  const { code = "", path = "A file", syscall = "" } = /** @type {NodeJS.ErrnoException} */ (error);
  const remedy = REMEDIES.get(code);
  if (remedy === undefined || syscall.startsWith("spawn")) return error.stack ?? error.message;
  return `${path} cannot be written: ${remedy}, and run the command again. (${code})`;
}
