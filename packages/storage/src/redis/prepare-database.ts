import { StorageError, type StorageErrorReason } from "../storage-error.ts";
import type { Link } from "./link.ts";

/** The version of the data layout. Layouts must not be mixed under one prefix. */
const layout = "2";
/** In layout 1 the hash also contains empty texts. They can be read. */
const readableLayout = "1";

export interface Database {
  /**
   * Called before the first write that layout 1 cannot represent. From then on, older versions refuse the
   * database.
   */
  upgradeLayout(): void;
}

/**
 * Records the layout of the database. Rejects another layout and a Redis that evicts data. Warns if Redis has
 * no append-only file, which is fine for a trial.
 *
 * @throws {StorageError} `unavailable`
 */
export async function prepareDatabase(
  link: Link,
  {
    prefix,
    serverAddress,
    needsTime,
    onWarning,
  }: { prefix: string; serverAddress: string; needsTime: boolean; onWarning: (warning: string) => void },
): Promise<Database> {
  const key = `{${prefix}:layout}`;
  const [refusal, found, answer] = await Promise.all([
    link.send("set", [key, layout, "NX"]).then(() => undefined, refusedNow),
    link.send("get", [key]),
    // A managed service may reject `INFO`. Its settings are then not checked.
    link.send("info", ["memory", "persistence"]).catch(() => ""),
    // Fails here if the user may not call `TIME`, rather than in the first commit with an expiry.
    needsTime ? link.send("time", []) : undefined,
  ]);
  if (refusal !== undefined && found === null) throw refusal;
  if (found !== layout && found !== readableLayout) {
    throw new StorageError(
      "unavailable",
      `The data under the prefix ${prefix} has layout ${String(found)}, but this version reads only ${readableLayout} and ${layout}. Use another prefix, or the version that wrote the data.`,
    );
  }
  const info = String(answer);
  const policy = /^maxmemory_policy:(\S+)/mu.exec(info)?.[1] ?? "noeviction";
  const limit = Number(/^maxmemory:(\d+)/mu.exec(info)?.[1] ?? 0);
  if (limit > 0 && policy.startsWith("allkeys")) {
    throw new StorageError(
      "unavailable",
      `This Redis evicts data when its memory is full (maxmemory-policy ${policy}). Set the policy to noeviction, or use another server.`,
    );
  }
  if (/^aof_enabled:0/mu.test(info)) {
    onWarning(
      `Redis at ${serverAddress} has no append-only file. If it stops, it loses all commits since its last snapshot. Set appendonly yes, and appendfsync always to lose nothing.`,
    );
  }
  let isUpgraded = found === layout;
  return {
    upgradeLayout() {
      if (isUpgraded) return;
      isUpgraded = true;
      link.send("set", [key, layout]).catch(() => (isUpgraded = false));
    },
  };
}

const refusedForNow: ReadonlySet<unknown> = new Set([
  "out_of_memory",
  "snapshot_failed",
  "not_enough_replicas",
] satisfies StorageErrorReason[]);

/** Returns the error of a server that cannot write at the moment. Its data can be read, if it has any. */
function refusedNow(error: unknown): StorageError {
  if (error instanceof StorageError && refusedForNow.has(error.reason)) return error;
  throw error;
}
