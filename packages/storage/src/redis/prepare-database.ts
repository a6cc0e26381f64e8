import { StorageError } from "../storage-error.ts";
import type { Link } from "./link.ts";

/** What the keys and texts in Redis look like. Another layout gets another number, and must not be mixed with this one. */
const layout = "1";

/**
 * Marks the database as ours, and refuses one whose data has another layout or that throws data away.
 *
 * @throws {StorageError} `unavailable`
 */
export async function prepareDatabase(link: Link, prefix: string): Promise<void> {
  const key = `{${prefix}:layout}`;
  const [, found, memory] = await Promise.all([
    link.send("set", [key, layout, "NX"]),
    link.send("get", [key]),
    // A managed service may refuse it; then its settings are its own affair.
    link.send("info", ["memory"]).catch(() => ""),
  ]);
  if (found !== layout) {
    throw new StorageError(
      "unavailable",
      `The data under the prefix ${prefix} has layout ${String(found)}, and this version reads ${layout}: name another prefix, or use the version that wrote it.`,
    );
  }
  const policy = /^maxmemory_policy:(\S+)/mu.exec(String(memory))?.[1] ?? "noeviction";
  const limit = Number(/^maxmemory:(\d+)/mu.exec(String(memory))?.[1] ?? 0);
  if (limit > 0 && policy.startsWith("allkeys")) {
    throw new StorageError(
      "unavailable",
      `This Redis throws data away when its memory is full (maxmemory-policy ${policy}): set the policy to noeviction, or use another server.`,
    );
  }
}
