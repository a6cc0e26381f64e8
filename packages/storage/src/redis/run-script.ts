import { StorageError } from "../storage-error.ts";
import type { Script } from "./scripts/script.ts";

/**
 * Runs a script by its digest. If the server does not know it, for example after a restart or a failover,
 * sends the source.
 *
 * @param send sends a command. For a read-only script, use `read` of the link
 */
export async function runScript(
  send: (command: string, values: readonly string[]) => Promise<unknown>,
  script: Script,
  keys: readonly string[],
  values: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...values];
  try {
    return await send("evalsha", [script.digest, ...rest]);
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return send("eval", [script.source, ...rest]);
  }
}

function isUnknownScript(error: unknown): boolean {
  return (
    error instanceof StorageError &&
    error.cause instanceof Error &&
    error.cause.message.startsWith("NOSCRIPT")
  );
}
