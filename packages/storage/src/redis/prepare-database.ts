import { StorageError } from "../storage-error.ts";
import type { Link } from "./link.ts";

/** What the keys and texts in Redis look like. Another layout gets another number, and must not be mixed with this one. */
const layout = "2";
/** There rows whose text is empty stood in the hash as well. They are read as they are. */
const readableLayout = "1";

export interface Database {
  /**
   * Called before the first row is written that an earlier layout does not have: whoever knows no other is refused from then on. Who only
   * reads, or does not get as far, leaves it to those that were there before.
   */
  turnToNewLayout(): void;
}

/**
 * Marks the database as ours, and refuses one whose data has another layout or that throws data away. One that forgets when it
 * stops is warned of: it may be meant so, as in a trial.
 *
 * @throws {StorageError} `unavailable`
 */
export async function prepareDatabase(
  link: Link,
  { prefix, place, onWarning }: { prefix: string; place: string; onWarning: (warning: string) => void },
): Promise<Database> {
  const key = `{${prefix}:layout}`;
  const [, found, answer] = await Promise.all([
    link.send("set", [key, layout, "NX"]),
    link.send("get", [key]),
    // A managed service may refuse it; then its settings are its own affair.
    link.send("info", ["memory", "persistence"]).catch(() => ""),
  ]);
  if (found !== layout && found !== readableLayout) {
    throw new StorageError(
      "unavailable",
      `The data under the prefix ${prefix} has layout ${String(found)}, and this version reads ${readableLayout} and ${layout}: name another prefix, or use the version that wrote it.`,
    );
  }
  const info = String(answer);
  const policy = /^maxmemory_policy:(\S+)/mu.exec(info)?.[1] ?? "noeviction";
  const limit = Number(/^maxmemory:(\d+)/mu.exec(info)?.[1] ?? 0);
  if (limit > 0 && policy.startsWith("allkeys")) {
    throw new StorageError(
      "unavailable",
      `This Redis throws data away when its memory is full (maxmemory-policy ${policy}): set the policy to noeviction, or use another server.`,
    );
  }
  if (/^aof_enabled:0/mu.test(info)) {
    onWarning(
      `Redis at ${place} keeps no append-only file: when it stops, what was acknowledged since its last snapshot is lost. Set appendonly yes, and appendfsync always to lose nothing.`,
    );
  }
  let hasTurned = found === layout;
  return {
    turnToNewLayout() {
      if (hasTurned) return;
      hasTurned = true;
      link.send("set", [key, layout]).catch(() => (hasTurned = false));
    },
  };
}
