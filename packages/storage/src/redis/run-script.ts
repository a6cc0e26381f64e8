import { StorageError } from "../storage-error.ts";
import type { Script } from "./scripts/script.ts";

/**
 * Runs a script by its digest. A server that has not seen it, because it was restarted or is another one since a failover, is
 * sent the source, which it keeps from then on.
 *
 * @param send how commands are sent: `read` of the link for a script that changes nothing
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
