import { StorageError, type StorageErrorReason } from "../storage-error.ts";
import type { Link } from "./link.ts";

/** The version of the data layout. Layouts must not be mixed under one prefix. */
const layout = "3";
/** Layout 1 has empty texts in the hash too. Layout 2 has marks in the hash, which nobody reads any more. */
const olderLayouts: ReadonlySet<unknown> = new Set(["1", "2"]);

/**
 * Called before commits are sent. If older versions would misread them, they wait until the layout is recorded, so that those versions
 * refuse the database. Later commits wait too, to keep their order. Returns undefined if there is nothing to wait for. After an error, the
 * next call sends the command again.
 *
 * @throws {StorageError} `unavailable`
 */
export type RecordLayout = (isNeeded: boolean) => Promise<void> | undefined;

/**
 * Rejects another layout and a Redis that evicts data. Records the layout of an empty database; an older one keeps its layout. Warns if Redis
 * has no append-only file, which is fine for a trial.
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
): Promise<RecordLayout> {
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
  if (found !== layout && !olderLayouts.has(found)) {
    throw new StorageError(
      "unavailable",
      `The data under the prefix ${prefix} has layout ${String(found)}, but this version reads only 1 to ${layout}. Use another prefix, or the version that wrote the data.`,
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
  let isRecorded = found === layout;
  let recording: Promise<void> | undefined;
  return (isNeeded) => {
    if (isNeeded && !isRecorded) {
      recording ??= link
        .send("set", [key, layout])
        .then(() => void (isRecorded = true))
        .finally(() => (recording = undefined));
    }
    return recording;
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
