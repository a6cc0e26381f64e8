import { listOldestLogged, measureLog, removeFromLog } from "@hookwright/delivery";
import type { DeliveryRow, LogSize } from "@hookwright/delivery";
import type { OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Mutation, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { collectUnreadable } from "../store/unreadable-rows.ts";

export interface RetentionLimits {
  /** Deliveries that ended before this time are removed, in milliseconds since the epoch. */
  readonly endedBefore: number;
  /** The largest number of deliveries of an account. The oldest ended ones above it are removed. */
  readonly maximumKept: number;
  /** The largest size of the log of an account, in bytes. The oldest ended deliveries above it are removed. */
  readonly maximumBytes: number;
}

export interface SweepDeliveriesOptions extends RetentionLimits {
  readonly store: Store;
  readonly accountId: string;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
  /** Receives an error about deliveries that cannot be read. They stay. */
  readonly onError: OnError;
}

/** Rows read or removed at once. */
const batchSize = 100;

/**
 * Removes the deliveries of an account that are over a limit. A delivery that has not ended stays, however old it is.
 *
 * @returns the size of the log afterwards
 */
export async function sweepDeliveries(options: SweepDeliveriesOptions): Promise<LogSize> {
  const { store, accountId, endedBefore, pause } = options;
  let { count, bytes, size } = await measureExcess(options);
  if (count <= 0 && bytes <= 0 && !(await isOldestDue(options))) return size;
  let after: string | undefined;
  const unreadable = collectUnreadable();
  for (;;) {
    const logged = await listOldestLogged(store, accountId, { limit: batchSize, after });
    const removed: DeliveryRow[] = [];
    let youngestCreatedAt = 0;
    for (const one of logged) {
      // A damaged row must not keep the others.
      if ("error" in one) {
        unreadable.add(one.id, one.error);
        continue;
      }
      const { created_at: createdAt, completed_at: completedAt } = one.delivery;
      youngestCreatedAt = createdAt;
      if (completedAt === null || (count <= 0 && bytes <= 0 && completedAt >= endedBefore)) continue;
      count -= 1;
      bytes -= one.bytes;
      size = { count: size.count - 1, bytes: size.bytes - one.bytes };
      removed.push(one.delivery);
    }
    const mutations = removed.flatMap((delivery) => toRemoval(accountId, delivery));
    if (mutations.length > 0) await store.commit(partitionOf(accountId), { mutations });
    after = logged.at(-1)?.id;
    if (logged.length < batchSize) break;
    // Rows are in order of creation: later ones cannot have ended earlier.
    if (count <= 0 && bytes <= 0 && youngestCreatedAt >= endedBefore) break;
    await pause();
  }
  unreadable.report(`deliveries of account ${accountId} that cannot be read, and stay`, options);
  return size;
}

function toRemoval(accountId: string, delivery: DeliveryRow): Mutation[] {
  const ofRecord = keys.deliveryOfRecord(accountId, delivery.record_id, delivery.id);
  return [...removeFromLog(accountId, delivery), { type: "delete", key: ofRecord }];
}

/** Most accounts have no delivery that is old enough: then only one row is read. */
async function isOldestDue({ store, accountId, endedBefore }: SweepDeliveriesOptions): Promise<boolean> {
  const [oldest] = await listOldestLogged(store, accountId, { limit: 1 });
  if (oldest === undefined) return false;
  return "error" in oldest || oldest.delivery.created_at < endedBefore;
}

/** By how much the log is over its limits. At most what has ended, because nothing else is removed. */
async function measureExcess({ store, accountId, maximumKept, maximumBytes, pause }: SweepDeliveriesOptions) {
  const { all, ended } = await measureLog(store, accountId, pause);
  return {
    count: Math.min(all.count - maximumKept, ended.count),
    bytes: Math.min(all.bytes - maximumBytes, ended.bytes),
    size: all,
  };
}
