import { listOldestLogged } from "@hookwright/delivery";
import type { Key, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { removeOldest } from "../store/remove-oldest.ts";

export interface SweepVersionsOptions {
  readonly store: Store;
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether deliveries refer to versions. Not if the account keeps no bodies. */
  readonly areReferenced: boolean;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
}

/** Rows removed at once. */
const batchSize = 100;
/** An attempt in progress may have read a version that was replaced since, and the clocks of processes differ a little. */
const marginMs = 60 * 60 * 1_000;

/**
 * Removes versions of records that no delivery refers to. An attempt sends the record as it is then, so no delivery refers to a version
 * that was replaced before the oldest delivery was created.
 */
export async function sweepRecordVersions(options: SweepVersionsOptions): Promise<void> {
  const { store, accountId, now, areReferenced, pause } = options;
  const prefix = keys.recordVersionEnds(accountId);
  const [oldest] = !areReferenced ? [] : await listOldestLogged(store, accountId, { limit: 1 });
  if (oldest !== undefined && "error" in oldest) throw oldest.error;
  const neededSince = oldest === undefined ? now : oldest.delivery.created_at;
  await removeOldest(store, {
    prefix,
    before: [...prefix, Math.min(neededSince, now) - marginMs],
    batchSize,
    withRow: (endKey) => toVersionKey(accountId, endKey),
    pause,
  });
}

function toVersionKey(accountId: string, endKey: Key): Key {
  const [kind, recordId, version] = endKey.slice(-3);
  if (typeof kind !== "string" || typeof recordId !== "string" || typeof version !== "number")
    throw new Error(`unexpected record version ${endKey.join("/")}`);
  return keys.recordVersion(accountId, { kind, recordId, version });
}
