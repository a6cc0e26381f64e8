import { stat } from "node:fs/promises";
import { ServerError } from "../server-error.ts";
import { hidePassword } from "@hookwright/domain";
import { explainHome } from "../storage-location.ts";

const storage = /^(?:file|rediss?(?:-cluster)?|postgres(?:ql)?):/u;

/**
 * Reads a path from an option. It refuses storage names, which would become folders with strange names.
 *
 * @throws {ServerError} `invalid_option`
 */
export function readPath(flag: string, path: string): string {
  const home = explainHome(path);
  if (home !== undefined) throw new ServerError("invalid_option", `--${flag} ${path}: ${home}`);
  if (storage.test(path)) {
    const instead = path.startsWith("file:") ? `--${flag} ${path.slice("file:".length)}` : "one";
    throw new ServerError(
      "invalid_option",
      `--${flag} takes a path, but ${JSON.stringify(hidePassword(path))} names a storage. Write ${instead}.`,
    );
  }
  return path;
}

/**
 * Refuses what is not a file, because the message of the system does not name the option.
 *
 * @throws {ServerError} `transfer_refused`
 */
export async function expectFile(flag: string, path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new ServerError("transfer_refused", `--${flag} ${path} is not a readable file.`);
}
