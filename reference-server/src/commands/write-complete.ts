import { randomBytes } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import type { Program } from "@hookwright/cli";
import { ServerError } from "../server-error.ts";
import { removeWhenStopped } from "./remove-when-stopped.ts";

/**
 * Writes to standard output, or to a new file that appears only when it is complete. Only its owner can read it.
 *
 * @throws {ServerError} `transfer_refused`
 */
export async function writeComplete<Result>(
  to: string,
  program: Pick<Program, "write" | "onSignal" | "onHangUp" | "complain" | "exit">,
  produce: (write: (text: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (to === "-") return produce((text) => program.write(text).catch(refuseOutput));
  const temporaryFile = `${to}.${randomBytes(6).toString("hex")}`;
  removeWhenStopped(program, temporaryFile);
  try {
    const file = await open(temporaryFile, "wx", 0o600);
    let result: Result;
    try {
      result = await produce((text) => file.writeFile(text));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporaryFile, to);
    return result;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const why = cause.code === "EEXIST" ? "it exists, and nothing is overwritten" : cause.message;
    throw new ServerError("transfer_refused", `--to ${to} cannot be written: ${why}.`, { cause });
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

/** The reader has closed the pipe, for example `| head`, or the disk is full. */
function refuseOutput(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new ServerError(
    "transfer_refused",
    `standard output cannot be written (${why}). The export is not complete.`,
    {
      cause,
    },
  );
}

/** True for an error of the operating system, such as `ENOSPC: no space left on device, write`. */
export function isSystemError(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && "code" in error && "syscall" in error;
}
