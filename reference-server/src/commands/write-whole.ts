import { randomBytes } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import type { Program } from "../program.ts";
import { ServerError } from "../server-error.ts";
import { isSystemError } from "./is-system-error.ts";
import { removeWhenStopped } from "./remove-when-stopped.ts";

/**
 * To standard output, or to a file that appears when it is complete, for its owner alone. Nothing is overwritten.
 *
 * @throws {ServerError} `transfer_refused`
 */
export async function writeWhole<Result>(
  to: string,
  program: Pick<Program, "write" | "onSignal" | "onHangUp" | "complain" | "exit">,
  produce: (write: (text: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (to === "-") return produce((text) => program.write(text).catch(refuseOutput));
  const draft = `${to}.${randomBytes(6).toString("hex")}`;
  removeWhenStopped(program, draft);
  try {
    const file = await open(draft, "wx", 0o600);
    let result: Result;
    try {
      result = await produce((text) => file.writeFile(text));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, to);
    return result;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const why = cause.code === "EEXIST" ? "it exists, and nothing is overwritten" : cause.message;
    throw new ServerError("transfer_refused", `--to ${to} cannot be written: ${why}.`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whoever was to read it has gone: `| head`. */
function refuseOutput(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new ServerError(
    "transfer_refused",
    `standard output takes no more (${why}): the export is not complete.`,
    {
      cause,
    },
  );
}
