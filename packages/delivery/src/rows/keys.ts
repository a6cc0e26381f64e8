import type { Key } from "@hookwright/storage";
import { partitionOf } from "@hookwright/storage";
import { isEventName } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";

/**
 * Every key this package writes. All rows of an account lie in one partition, so that a publish, or an attempt
 * with its consequences, is one atomic commit.
 *
 * A delivery lives in one of two places. Before its first turn it *is* its queue entry (`fresh`); once it was tried, or
 * cancelled, it has a row of its own (`delivery`), found by id in order of creation, a place in the log index, and, while
 * a retry is to come, an entry in the retry queue. An accepted delivery so costs one write to publish and
 * three to record, which is what keeps a durable store within its budget.
 */
export const keys = {
  /** All webhooks of an account that listen to one event are neighbours: a publish reads just these. */
  webhook: (accountId: string, event: EventName, webhookId: string): Key => [
    partitionOf(accountId),
    "webhook",
    accountId,
    event,
    webhookId,
  ],
  webhooks: (accountId: string, event?: EventName): Key =>
    event === undefined
      ? [partitionOf(accountId), "webhook", accountId]
      : [partitionOf(accountId), "webhook", accountId, event],
  /** Changes with every webhook that is added or removed: checking it makes "at most 50" and "no second one" atomic. */
  webhookGuard: (accountId: string): Key => [partitionOf(accountId), "webhook-guard", accountId],
  signingSecret: (accountId: string, webhookId: string): Key => [
    partitionOf(accountId),
    "signing-secret",
    accountId,
    webhookId,
  ],
  /** Followed by the account and the webhook. */
  signingSecrets: (partition: string): Key => [partition, "signing-secret"],
  webhookHealth: (accountId: string, webhookId: string): Key => [
    partitionOf(accountId),
    "webhook-health",
    accountId,
    webhookId,
  ],
  /** Queue of deliveries never tried, in order of creation; the value is the delivery itself. */
  fresh: ({ accountId, event, webhookId }: LaneAddress, deliveryId: string): Key => [
    partitionOf(accountId),
    "fresh",
    accountId,
    event,
    webhookId,
    deliveryId,
  ],
  freshLane,
  /** Followed by event, webhook and delivery. */
  freshDeliveries: (accountId: string): Key => [partitionOf(accountId), "fresh", accountId],
  /** Queue of deliveries to be tried again, in order of due time. */
  retry: ({ accountId, event, webhookId }: LaneAddress, dueAt: number, deliveryId: string): Key => [
    partitionOf(accountId),
    "retry",
    accountId,
    event,
    webhookId,
    dueAt,
    deliveryId,
  ],
  retryLane,
  delivery: (accountId: string, deliveryId: string): Key => [
    partitionOf(accountId),
    "delivery",
    accountId,
    deliveryId,
  ],
  deliveries: (accountId: string): Key => [partitionOf(accountId), "delivery", accountId],
  /**
   * One entry serves every filter: free parts are skipped over, fixed ones are sought. Its value is the size of the row when the entry was
   * written (`row-size.ts`): that of an ended delivery is final.
   */
  log: (accountId: string, entry: LogEntry): Key => [
    partitionOf(accountId),
    "delivery-log",
    accountId,
    entry.event,
    entry.webhookId,
    entry.projectId,
    entry.status,
    entry.kind,
    entry.deliveryId,
  ],
  logs: (accountId: string): Key => [partitionOf(accountId), "delivery-log", accountId],
  /** Deliveries that no publish made: resends and tests. Those of a publish stand in the record's own row, and here once that is removed. */
  deliveryOfRecord: (accountId: string, recordId: string, deliveryId: string): Key => [
    partitionOf(accountId),
    "delivery-of-record",
    accountId,
    recordId,
    deliveryId,
  ],
  deliveriesOfRecord: (accountId: string, recordId: string): Key => [
    partitionOf(accountId),
    "delivery-of-record",
    accountId,
    recordId,
  ],
  /** The data of a record before it was changed or deleted: deliveries that sent it name it instead of keeping their bodies. */
  recordVersion: (accountId: string, { kind, recordId, version }: RecordVersion): Key => [
    partitionOf(accountId),
    "record-version",
    accountId,
    kind,
    recordId,
    version,
  ],
  /** When it was replaced: the order in which versions are swept. */
  recordVersionEnd: (accountId: string, endedAt: number, { kind, recordId, version }: RecordVersion): Key => [
    ...recordVersionEnds(accountId),
    endedAt,
    kind,
    recordId,
    version,
  ],
  recordVersionEnds,
  lease: (partition: string): Key => [partition, "lease"],
  leaseExpiry: (partition: string): Key => [partition, "lease-expiry"],
  /** The workers of a storage, whatever partitions they hold. */
  workers: (): Key => ["p00", "worker"],
  worker: (workerId: string): Key => ["p00", "worker", workerId],
} as const;

/** A queue: one webhook of one account. */
export interface LaneAddress {
  readonly accountId: string;
  readonly event: EventName;
  readonly webhookId: string;
}

/** Whose queue a key belongs to, or begins; nothing where this version cannot say so: a later one has been here, and knows the event. */
export function readLaneAddress(key: Key): LaneAddress | undefined {
  const [, , accountId, event, webhookId] = key;
  if (
    typeof accountId !== "string" ||
    typeof event !== "string" ||
    typeof webhookId !== "string" ||
    !isEventName(event)
  )
    return undefined;
  return { accountId, event, webhookId };
}

/** A record as one publish or change of it left it. */
export interface RecordVersion {
  readonly kind: string;
  readonly recordId: string;
  readonly version: number;
}

export interface LogEntry {
  readonly event: EventName;
  readonly webhookId: string;
  readonly projectId: string;
  readonly status: string;
  readonly kind: string;
  readonly deliveryId: string;
}

function freshLane({ accountId, event, webhookId }: LaneAddress): Key {
  return [partitionOf(accountId), "fresh", accountId, event, webhookId];
}

function retryLane({ accountId, event, webhookId }: LaneAddress): Key {
  return [partitionOf(accountId), "retry", accountId, event, webhookId];
}

function recordVersionEnds(accountId: string): Key {
  return [partitionOf(accountId), "record-version-end", accountId];
}
