import { findDeliveries, listEnded } from "@hookwright/delivery";
import type { DeliveryRow, EndedPage, EndedPosition } from "@hookwright/delivery";
import { idsSince } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { kindOf } from "../deliveries/find-records.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";
import { listMissed, missedKeyOf } from "./missed-events.ts";
import type { MissedPosition } from "./missed-events.ts";
import type { RecoveryPosition, RecoveryRow } from "./recovery-row.ts";

/** What a recovery sends: the current record of a delivery that ended, or of a missed event. */
export interface Match {
  readonly kind: "resend" | "event";
  readonly recordId: string;
  readonly projectId: string;
  readonly recordKey: Key;
  readonly recordText: string;
  readonly record: RecordRow;
}

export interface MatchPage {
  readonly matches: readonly Match[];
  /** Missed events of this page. They are removed when the page is sent. */
  readonly handled: readonly Key[];
  readonly unreadable: EndedPage["unreadable"];
  readonly next: RecoveryPosition;
}

/** A delivery that took longer than this from its creation to its end does not match, unless it was created after `since`. */
const longestDeliveryMs = 24 * 60 * 60 * 1_000;
/** Further deliveries of one record that are read. The newest are read. */
const maximumOthers = 1_000;
/** Deliveries of the same records that are read at once. */
const siblingsAtOnce = 500;

/** The store, and the events whose records a recovery sends. */
export interface RecoveryContext {
  readonly store: Store;
  readonly events: EventRegistry;
}

/** Finds the next matches of a recovery. A page may have none although another follows. */
export function findMatches(
  context: RecoveryContext,
  accountId: string,
  recovery: RecoveryRow,
  limit: number,
): Promise<MatchPage> {
  const { position } = recovery;
  if (position.list === "log") return findInLog(context, accountId, recovery, position.after, limit);
  if (position.list === "missed") return findMissed(context, accountId, recovery, position.after, limit);
  return Promise.resolve({ matches: [], handled: [], unreadable: [], next: position });
}

async function findInLog(
  context: RecoveryContext,
  accountId: string,
  recovery: RecoveryRow,
  after: EndedPosition | undefined,
  limit: number,
): Promise<MatchPage> {
  const { store } = context;
  const { event, webhook_id: webhookId, since, until, statuses } = recovery;
  const { deliveries, unreadable, next } = await listEnded(store, {
    address: { accountId, event, webhookId },
    statuses,
    kinds: ["event", "resend"],
    from: idsSince("dlv", since - longestDeliveryMs),
    before: idsSince("dlv", until),
    after,
    limit,
  });
  const candidates = deliveries.filter((delivery) => isInRange(recovery, delivery));
  const recordIds = candidates.map(({ record_id: recordId }) => recordId);
  const records = await readRecords(context, accountId, event, recordIds);
  const siblings = await readSiblings(store, accountId, records.found);
  const matches = candidates.flatMap((delivery) => {
    const { record_id: recordId, project_id: projectId } = delivery;
    const found = records.found.get(recordId);
    // Another record may have this id now.
    if (found === undefined || found.record.head.arrival !== delivery.record_arrival) return [];
    const others = (siblings.get(recordId) ?? []).filter((other) => isSibling(delivery, other));
    if (others.some((other) => replaces(recovery, delivery, other))) return [];
    return [{ kind: "resend" as const, recordId, projectId, ...found }];
  });
  const rest: RecoveryPosition = recovery.missed ? { list: "missed" } : { list: "end" };
  return {
    matches,
    handled: [],
    unreadable: [...unreadable, ...records.unreadable],
    next: next === undefined ? rest : { list: "log", after: next },
  };
}

/** Whether a delivery ended in the time of a recovery, and before the recovery started. Later ones are not counted, so they are not sent. */
function isInRange(
  recovery: RecoveryRow,
  { status, completed_at: endedAt, created_at: createdAt }: DeliveryRow,
): boolean {
  return (
    recovery.statuses.some((each) => each === status) &&
    endedAt !== null &&
    endedAt >= recovery.since &&
    endedAt < recovery.created_at &&
    createdAt < recovery.until
  );
}

function isSibling(delivery: DeliveryRow, other: DeliveryRow): boolean {
  return (
    other.id !== delivery.id &&
    other.webhook_id === delivery.webhook_id &&
    other.kind !== "test" &&
    other.record_arrival === delivery.record_arrival
  );
}

/** Whether another delivery of the same event was accepted since, may still be accepted, or is sent in place of this one. */
function replaces(recovery: RecoveryRow, delivery: DeliveryRow, other: DeliveryRow): boolean {
  const { status, completed_at: endedAt } = other;
  if (endedAt === null) return true;
  if (status === "delivered") return endedAt >= delivery.created_at;
  // It was pending when the recovery started, so this one was not counted.
  if (other.created_at <= recovery.created_at && endedAt >= recovery.created_at) return true;
  return other.id > delivery.id && isInRange(recovery, other);
}

async function findMissed(
  context: RecoveryContext,
  accountId: string,
  recovery: RecoveryRow,
  after: MissedPosition | undefined,
  limit: number,
): Promise<MatchPage> {
  const { store } = context;
  const { event, webhook_id: webhookId, project_id: site, since, until } = recovery;
  const { events, next } = await listMissed(store, { accountId, webhookId, since, until, after, limit });
  const recordIds = events.map(({ recordId }) => recordId);
  const records = await readRecords(context, accountId, event, recordIds);
  const siteOf = (recordId: string) => records.found.get(recordId)?.record.head.project_id;
  // The webhook may have been of another site when it missed an event. It may be of that site again.
  const handled = events.filter(({ recordId }) => site === null || (siteOf(recordId) ?? site) === site);
  const matches = handled.flatMap(({ recordId, recordArrival }) => {
    const found = records.found.get(recordId);
    if (found === undefined || found.record.head.arrival !== recordArrival) return [];
    return [{ kind: "event" as const, recordId, projectId: found.record.head.project_id, ...found }];
  });
  return {
    matches,
    handled: handled.map((missed) => missedKeyOf(accountId, missed)),
    unreadable: records.unreadable,
    next: next === undefined ? { list: "end" } : { list: "missed", after: next },
  };
}

type StoredRecord = Pick<Match, "recordKey" | "recordText" | "record">;

interface ReadRecords {
  /** By the id of the record. A record that was deleted is omitted. */
  readonly found: ReadonlyMap<string, StoredRecord>;
  readonly unreadable: EndedPage["unreadable"];
}

async function readRecords(
  { store, events }: RecoveryContext,
  accountId: string,
  event: string,
  wanted: readonly string[],
): Promise<ReadRecords> {
  const ids = [...new Set(wanted)];
  const recordKeys = ids.map((id) => keys.record(accountId, kindOf(events, event), id));
  const texts = await store.getMany(recordKeys);
  const found = new Map<string, StoredRecord>();
  const unreadable: { readonly id: string; readonly cause: unknown }[] = [];
  recordKeys.forEach((recordKey, index) => {
    const [recordText, id = ""] = [texts[index], ids[index]];
    if (recordText === undefined) return;
    try {
      found.set(id, { recordKey, recordText, record: parseRecordRow(recordText) });
    } catch (cause) {
      unreadable.push({ id, cause });
    }
  });
  return { found, unreadable };
}

/** All deliveries of the records that were sent again, by the id of the record. The others have only the delivery of their publish. */
async function readSiblings(
  store: Store,
  accountId: string,
  records: ReadRecords["found"],
): Promise<ReadonlyMap<string, readonly DeliveryRow[]>> {
  const lists = Array.from(records, async ([recordId, { record }]): Promise<readonly string[]> => {
    const { resends, deliveries } = record.head;
    if (resends === 0) return [];
    const prefix = keys.deliveriesOfRecord(accountId, recordId);
    const entries = await store.list({ prefix, limit: maximumOthers, reverse: true });
    return [...deliveries, ...entries.map(({ key }) => String(key.at(-1)))];
  });
  const ids = (await Promise.all(lists)).flat();
  const siblings = new Map<string, DeliveryRow[]>();
  for (let first = 0; first < ids.length; first += siblingsAtOnce) {
    for (const row of await findDeliveries(store, accountId, ids.slice(first, first + siblingsAtOnce))) {
      const known = siblings.get(row.record_id);
      if (known === undefined) siblings.set(row.record_id, [row]);
      else known.push(row);
    }
  }
  return siblings;
}
