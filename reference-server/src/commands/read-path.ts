import { ServerError } from "../server-error.ts";
import { explainHome, hidePassword } from "../storage-location.ts";

const storage = /^(?:file|rediss?(?:-cluster)?):/u;

/**
 * A path that an option names. What is not meant as one would become a folder of a strange name.
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
      `--${flag} takes a path, and ${JSON.stringify(hidePassword(path))} names a storage: write ${instead}.`,
    );
  }
  return path;
}
