import type { Key, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { parseDeliveryRow } from "../rows/delivery-row.ts";

export interface SweepVersionsOptions {
  readonly store: Store;
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly pause: () => Promise<void>;
}

/** Rows removed at once. */
const windowSize = 100;
/** What attempts under way have read may be replaced meanwhile, and processes may disagree about the time by a little. */
const marginMs = 60 * 60 * 1_000;

/**
 * Removes the versions of records that no delivery can name any more: a delivery sends records as they are at its attempts, so
 * what was replaced before the oldest delivery was made is in no body of the log.
 */
export async function sweepRecordVersions(options: SweepVersionsOptions): Promise<void> {
  const { store, accountId, now, pause } = options;
  const prefix = keys.recordVersionEnds(accountId);
  const [oldest] = await store.list({ prefix: keys.deliveries(accountId), limit: 1 });
  const neededSince = oldest === undefined ? now : parseDeliveryRow(oldest.value).created_at;
  const before: Key = [...prefix, Math.min(neededSince, now) - marginMs];
  for (;;) {
    const entries = await store.list({ prefix, before, limit: windowSize });
    if (entries.length === 0) return;
    const versions = entries.map(({ key }) => toVersionKey(accountId, key));
    await store.commit(prefix[0], {
      mutations: [...versions, ...entries.map(({ key }) => key)].map((key) => ({ type: "delete", key })),
    });
    if (entries.length < windowSize) return;
    await pause();
  }
}

function toVersionKey(accountId: string, endKey: Key): Key {
  const [kind, recordId, version] = endKey.slice(-3);
  if (typeof kind !== "string" || typeof recordId !== "string" || typeof version !== "number")
    throw new Error(`unexpected record version ${endKey.join("/")}`);
  return keys.recordVersion(accountId, { kind, recordId, version });
}
