import { setImmediate as nextTurn } from "node:timers/promises";
import { findDeliveries, listEnded, listLoggedEvents } from "@hookwright/delivery";
import type { DeliveryRow, EndedPage, EndedPosition } from "@hookwright/delivery";
import { idsSince } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import { listMissed, missedKeyOf } from "../../rows/missed-events.ts";
import type { MissedPosition } from "../../rows/missed-events.ts";
import type { RecoveryPosition, RecoveryRow } from "../../rows/recovery-row.ts";
import { readRecords } from "./read-records.ts";
import type { RecoveryContext, StoredRecord } from "./read-records.ts";

/** What a recovery sends: the current record of a delivery that ended, or of a missed event. */
export interface Match extends StoredRecord {
  readonly kind: "resend" | "event";
  readonly event: string;
  readonly projectId: string;
  /** The delivery that ended. Absent for a missed event. */
  readonly resentFrom?: DeliveryRow;
  /** When a missed event was published. */
  readonly missedAt?: number;
}

export interface MatchPage {
  readonly matches: readonly Match[];
  /** Missed events of this page. They are removed when the page is sent. Those whose record cannot be read stay. */
  readonly handled: readonly Key[];
  readonly unreadable: EndedPage["unreadable"];
  readonly next: RecoveryPosition;
}

/** A delivery that took longer than this from its creation to its end does not match, unless it was created after `since`. */
const longestDeliveryMs = 24 * 60 * 60 * 1_000;
/** Further deliveries of one record that are read. The newest are read. */
const maximumOthers = 1_000;
/** Deliveries of the same records that are read at once. */
const siblingsAtOnce = 50;

/** Finds the next matches of a recovery. A page may have none although another follows. */
export function findMatches(
  context: RecoveryContext,
  accountId: string,
  recovery: RecoveryRow,
  limit: number,
): Promise<MatchPage> {
  const { position } = recovery;
  if (position.list === "log") return findInLog(context, accountId, recovery, position, limit);
  if (position.list === "missed") return findMissed(context, accountId, recovery, position.after, limit);
  return Promise.resolve({ matches: [], handled: [], unreadable: [], next: position });
}

async function findInLog(
  context: RecoveryContext,
  accountId: string,
  recovery: RecoveryRow,
  {
    event = recovery.event,
    after,
  }: { readonly event?: string | undefined; readonly after?: EndedPosition | undefined },
  limit: number,
): Promise<MatchPage> {
  const { store } = context;
  const { webhook_id: webhookId, since, until, statuses } = recovery;
  const { deliveries, unreadable, next } = await listEnded(store, {
    accountId,
    webhookId,
    event,
    statuses,
    kinds: ["event", "resend"],
    from: idsSince("dlv", since - longestDeliveryMs),
    before: idsSince("dlv", until),
    after,
    limit,
  });
  const candidates = deliveries.filter((delivery) => isInRange(recovery, delivery));
  const wantedOf = ({ record_id: recordId, record_arrival: recordArrival }: DeliveryRow) => {
    return { recordId, recordArrival };
  };
  const records = await readRecords(context, accountId, event, candidates.map(wantedOf));
  const siblings = await readSiblings(store, accountId, records.all);
  const matches = candidates.flatMap((delivery) => {
    const { record_id: recordId, project_id: projectId } = delivery;
    const found = records.find(wantedOf(delivery));
    if (found === undefined) return [];
    const others = (siblings.get(recordId) ?? []).filter((other) => isSibling(delivery, other));
    if (others.some((other) => replaces(recovery, delivery, other))) return [];
    return [{ ...found, kind: "resend" as const, event, projectId, resentFrom: delivery }];
  });
  return {
    matches,
    handled: [],
    unreadable: [...unreadable, ...records.unreadable],
    next:
      next === undefined
        ? await findNextLog(store, accountId, recovery, event)
        : { list: "log", ...(event !== recovery.event && { event }), after: next },
  };
}

/** The log of the next event of the webhook, if it has several. Then what it missed. */
async function findNextLog(
  store: Store,
  accountId: string,
  { webhook_id: webhookId, event: first, missed }: RecoveryRow,
  event: string,
): Promise<RecoveryPosition> {
  const others = (await listLoggedEvents(store, accountId, webhookId)).filter((each) => each !== first);
  const next = others.find((each) => event === first || each > event);
  if (next !== undefined) return { list: "log", event: next };
  return missed ? { list: "missed" } : { list: "end" };
}

/** Whether a delivery ended in the time of a recovery, and before the recovery started. Later ones are not counted, so they are not sent. */
function isInRange(
  recovery: RecoveryRow,
  { status, completed_at: endedAt, created_at: createdAt }: Sibling,
): boolean {
  return (
    recovery.statuses.some((each) => each === status) &&
    endedAt !== null &&
    endedAt >= recovery.since &&
    endedAt < recovery.created_at &&
    createdAt < recovery.until
  );
}

/** What decides whether another delivery replaces one. Rows with all their attempts would fill the memory. */
type Sibling = Pick<
  DeliveryRow,
  "id" | "webhook_id" | "event" | "kind" | "record_arrival" | "status" | "created_at" | "completed_at"
>;

function isSibling(delivery: DeliveryRow, other: Sibling): boolean {
  return (
    other.id !== delivery.id &&
    other.webhook_id === delivery.webhook_id &&
    other.event === delivery.event &&
    other.kind !== "test" &&
    other.record_arrival === delivery.record_arrival
  );
}

/** Whether another delivery of the same event was accepted since, may still be accepted, or is sent in place of this one. */
function replaces(recovery: RecoveryRow, delivery: DeliveryRow, other: Sibling): boolean {
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
  const { webhook_id: webhookId, project_id: site, since, until } = recovery;
  const { events, next } = await listMissed(store, { accountId, webhookId, since, until, after, limit });
  const ofEvents = [...Map.groupBy(events, ({ event = recovery.event }) => event)];
  const read = await Promise.all(
    ofEvents.map(async ([event, missed]) => {
      const records = await readRecords(context, accountId, event, missed);
      const unreadable = new Set(records.unreadable.map(({ id }) => id));
      const found = missed.flatMap((each) =>
        unreadable.has(each.recordId) ? [] : [{ event, missed: each, stored: records.find(each) }],
      );
      return { found, unreadable: records.unreadable };
    }),
  );
  // The webhook may have been of another site when it missed an event. It may be of that site again.
  const handled = read
    .flatMap(({ found }) => found)
    .filter(({ stored }) => site === null || (stored?.record.head.project_id ?? site) === site)
    .toSorted((one, other) => events.indexOf(one.missed) - events.indexOf(other.missed));
  const matches = handled.flatMap(({ event, missed, stored }) =>
    stored === undefined
      ? []
      : [
          {
            ...stored,
            kind: "event" as const,
            event,
            projectId: stored.record.head.project_id,
            missedAt: missed.publishedAt,
          },
        ],
  );
  return {
    matches,
    handled: handled.map(({ missed }) => missedKeyOf(accountId, missed)),
    unreadable: read.flatMap(({ unreadable }) => unreadable),
    next: next === undefined ? { list: "end" } : { list: "missed", after: next },
  };
}

/** All deliveries of the records that were sent again, by the id of the record. The others have only the delivery of their publish. */
async function readSiblings(
  store: Store,
  accountId: string,
  records: readonly StoredRecord[],
): Promise<ReadonlyMap<string, readonly Sibling[]>> {
  const lists = records.map(async ({ recordId, record }): Promise<readonly string[]> => {
    const { resends, deliveries } = record.head;
    if (resends === 0) return [];
    const prefix = keys.deliveriesOfRecord(accountId, recordId);
    const entries = await store.list({ prefix, limit: maximumOthers, reverse: true });
    return [...deliveries, ...entries.map(({ key }) => String(key.at(-1)))];
  });
  const ids = (await Promise.all(lists)).flat();
  const siblings = new Map<string, Sibling[]>();
  for (let first = 0; first < ids.length; first += siblingsAtOnce) {
    for (const row of await findDeliveries(store, accountId, ids.slice(first, first + siblingsAtOnce))) {
      const sibling = toSibling(row);
      const known = siblings.get(row.record_id);
      if (known === undefined) siblings.set(row.record_id, [sibling]);
      else known.push(sibling);
    }
    await nextTurn();
  }
  return siblings;
}

function toSibling(row: DeliveryRow): Sibling {
  const { id, webhook_id, event, kind, record_arrival, status, created_at, completed_at } = row;
  return { id, webhook_id, event, kind, record_arrival, status, created_at, completed_at };
}
