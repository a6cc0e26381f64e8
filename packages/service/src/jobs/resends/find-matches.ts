import { setImmediate as nextTurn } from "node:timers/promises";
import { findDeliveries, listEnded, listLoggedEvents, matchesFilters } from "@hookwright/delivery";
import type { DeliveryRow, EndedPosition, EndedPage, LogFilters, OnUnreadable } from "@hookwright/delivery";
import { idsSince } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { readMatching } from "../../lookups/find-deliveries.ts";
import { matchText } from "../../lookups/match-text.ts";
import type { TextMatch } from "../../lookups/match-text.ts";
import type { SearchContext } from "../../lookups/search-context.ts";
import { keys } from "../../rows/keys.ts";
import { listMissed, missedKeyOf } from "../../rows/missed-events.ts";
import type { MissedPosition } from "../../rows/missed-events.ts";
import type { ResendPart, ResendPosition, ResendRow } from "../../rows/resend-row.ts";
import { readRecords } from "./read-records.ts";
import type { StoredRecord, WantedRecord } from "./read-records.ts";

/** What a job sends: the current record of a delivery that ended, or of a missed event. */
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
  readonly next: ResendPosition;
}

export interface MatchQuery {
  readonly accountId: string;
  readonly job: ResendRow;
  readonly part: ResendPart;
  readonly limit: number;
  /** What the text of the filter names. */
  readonly findNamed: () => Promise<TextMatch>;
  readonly onUnreadable: OnUnreadable;
}

/** Looks up the text of a job once, when it is first needed. @throws every error of the repository of the host */
export function createFindNamed(
  context: SearchContext,
  accountId: string,
  { filter: { q = "" } }: ResendRow,
): MatchQuery["findNamed"] {
  let found: Promise<TextMatch> | undefined;
  return () => (found ??= matchText({ ...context, onHostFailure: "throw" }, accountId, q));
}

/** A delivery that took longer than this from its creation to its end does not match, unless it was created after `ended_since`. */
const longestDeliveryMs = 24 * 60 * 60 * 1_000;
/** An id is created up to this long before or after the time that its row has. */
const idToleranceMs = 60_000;
/** Further deliveries of one record that are read. The newest are read. */
const maximumOthers = 1_000;
/** Deliveries of the same records that are read at once. */
const siblingsAtOnce = 50;

/** Finds the next matches of a part of a job. A page may have none although another follows. */
export async function findMatches(context: SearchContext, query: MatchQuery): Promise<MatchPage> {
  const { position } = query.part;
  if (position.list === "missed") return findMissed(context, query, position.after);
  if (position.list === "end") return { matches: [], handled: [], next: position };
  const page = await readCandidates(context, query, position);
  return {
    matches: await matchDeliveries(context, query, page.deliveries),
    handled: [],
    next: page.next ?? (query.job.not_sent ? { list: "missed" } : { list: "end" }),
  };
}

interface CandidatePage extends Pick<EndedPage, "deliveries"> {
  /** Undefined: there are no more deliveries. */
  readonly next: ResendPosition | undefined;
}

async function readCandidates(
  { store }: SearchContext,
  query: MatchQuery,
  position: Exclude<ResendPosition, { readonly list: "missed" | "end" }>,
): Promise<CandidatePage> {
  const { accountId, job, part, limit, onUnreadable } = query;
  if (position.list === "log") return readLog(store, query, position);
  if (position.list === "chosen") {
    const ids = part.delivery_ids?.slice(position.index, position.index + limit) ?? [];
    const chosen = ids.length === 0 ? [] : await findDeliveries(store, accountId, ids, onUnreadable);
    const deliveries = await onlyNamed(query, chosen);
    const index = position.index + ids.length;
    const isAtEnd = index >= (part.delivery_ids?.length ?? 0);
    return { deliveries, next: isAtEnd ? undefined : { list: "chosen", index } };
  }
  const filters = { ...toLogFilters(job), webhook_id: part.webhook_id };
  const page = { accountId, filters, before: position.before, limit, onUnreadable };
  const { deliveries, next } = await readMatching(store, page, await query.findNamed());
  return {
    deliveries,
    next: next === undefined ? undefined : { list: "named", before: next },
  };
}

async function readLog(
  store: Store,
  { accountId, job: { filter }, part, limit, onUnreadable }: MatchQuery,
  {
    event = filter.event ?? part.event,
    after,
  }: { readonly event?: string | undefined; readonly after?: EndedPosition | undefined },
): Promise<CandidatePage> {
  const { since, until } = filter;
  const { ended_since: endedSince } = part;
  const from = endedSince === undefined ? since && since - idToleranceMs : endedSince - longestDeliveryMs;
  const { deliveries, next } = await listEnded(store, {
    accountId,
    webhookId: part.webhook_id,
    event,
    projectId: filter.project_id,
    statuses: filter.statuses,
    kinds: filter.outcome === undefined ? ["event", "resend"] : ["event"],
    from: idsSince("dlv", from ?? 0),
    before:
      until === undefined
        ? undefined
        : idsSince("dlv", until + (endedSince === undefined ? idToleranceMs : 0)),
    after,
    limit,
    onUnreadable,
  });
  if (next !== undefined)
    return {
      deliveries,
      next: { list: "log", ...(event !== part.event && { event }), after: next },
    };
  const following =
    filter.event === undefined ? await findNextEvent(store, accountId, part, event) : undefined;
  return {
    deliveries,
    next: following === undefined ? undefined : { list: "log", event: following },
  };
}

/** The next event in the log of the webhook, if it has several. */
async function findNextEvent(
  store: Store,
  accountId: string,
  { webhook_id: webhookId, event: first }: ResendPart,
  event: string,
): Promise<string | undefined> {
  const others = (await listLoggedEvents(store, accountId, webhookId)).filter((each) => each !== first);
  return others.find((each) => event === first || each > event);
}

/** Of some deliveries, those that the text of the job names. Without a text: all. */
async function onlyNamed(
  { job: { filter }, findNamed }: MatchQuery,
  rows: readonly DeliveryRow[],
): Promise<readonly DeliveryRow[]> {
  return filter.q === undefined ? rows : (await findNamed()).filter(rows);
}

async function matchDeliveries(
  context: SearchContext,
  query: MatchQuery,
  deliveries: readonly DeliveryRow[],
): Promise<readonly Match[]> {
  const { accountId, job, part, onUnreadable } = query;
  const candidates = deliveries.filter((delivery) => isMatch(job, part, delivery));
  const records = await readRecords(context, accountId, candidates.map(toWanted), onUnreadable);
  const siblings = await readSiblings(context.store, query, records.all);
  return candidates.flatMap((delivery) => {
    const { event, record_id: recordId, project_id: projectId } = delivery;
    const found = records.find(toWanted(delivery));
    if (found === undefined) return [];
    const others = (siblings.get(recordId) ?? []).filter((other) => isSibling(delivery, other));
    if (others.some((other) => replaces(job, delivery, other))) return [];
    return [{ ...found, kind: "resend" as const, event, projectId, resentFrom: delivery }];
  });
}

function toWanted({ event, record_id: recordId, record_arrival: recordArrival }: DeliveryRow): WantedRecord {
  return { event, recordId, recordArrival };
}

function toLogFilters({ filter, issue }: ResendRow): LogFilters {
  const { event, project_id, outcome, since, until, http_status, error } = filter;
  return { event, project_id, outcome, since, until, http_status, error, issue };
}

/** Whether the filter, except its text, matches a delivery that ended before the job started. Later ones are not counted, so they are not sent. */
function isMatch(job: ResendRow, part: ResendPart, delivery: DeliveryRow): boolean {
  const { id, webhook_id: webhookId, status, kind, completed_at: endedAt } = delivery;
  const { filter, created_at: startedAt, turned_on: turnedOn } = job;
  return (
    webhookId === part.webhook_id &&
    kind !== "test" &&
    filter.statuses.some((each) => each === status) &&
    endedAt !== null &&
    endedAt >= (part.ended_since ?? 0) &&
    (endedAt < startedAt ||
      // Workers cancel deliveries until the webhook is turned on. When it stops again, its part ends.
      (turnedOn !== undefined && status === "cancelled" && delivery.created_at < startedAt)) &&
    matchesFilters(delivery, toLogFilters(job)) &&
    (part.delivery_ids?.includes(id) ?? true)
  );
}

/** What decides whether another delivery replaces one. Rows with all their attempts would fill the memory. */
interface Sibling extends Pick<
  DeliveryRow,
  "id" | "webhook_id" | "event" | "kind" | "record_arrival" | "status" | "created_at" | "completed_at"
> {
  /** Whether the job sends it. */
  readonly isMatch: boolean;
}

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
function replaces({ created_at: startedAt }: ResendRow, delivery: DeliveryRow, other: Sibling): boolean {
  const { status, completed_at: endedAt } = other;
  if (endedAt === null) return true;
  // An event that was accepted is sent again if this was asked for, but once.
  const since = delivery.status === "delivered" ? startedAt : delivery.created_at;
  if (status === "delivered" && endedAt >= since) return true;
  // It was pending when the job started, so this one was not counted.
  if (other.created_at <= startedAt && endedAt >= startedAt && !other.isMatch) return true;
  return other.id > delivery.id && other.isMatch;
}

async function findMissed(
  context: SearchContext,
  {
    accountId,
    job: { filter, created_at: startedAt, turned_on: turnedOn },
    part,
    limit,
    onUnreadable,
  }: MatchQuery,
  after: MissedPosition | undefined,
): Promise<MatchPage> {
  const { store } = context;
  const { events, next } = await listMissed(store, {
    accountId,
    webhookId: part.webhook_id,
    since: Math.max(part.ended_since ?? 0, filter.since ?? 0),
    // It misses events until the commit that turns it on. When it stops again, its part ends.
    until: filter.until ?? (turnedOn === undefined ? startedAt : Number.MAX_SAFE_INTEGER),
    after,
    limit,
  });
  const wanted = events
    .map((missed) => ({ ...missed, event: missed.event ?? part.event, key: missedKeyOf(accountId, missed) }))
    .filter(({ event }) => event === (filter.event ?? event));
  const records = await readRecords(context, accountId, wanted, onUnreadable);
  const handled = wanted
    .filter((missed) => !records.isUnreadable(missed))
    .map((missed) => ({ ...missed, stored: records.find(missed) }))
    // The webhook may have been of another site when it missed an event. It may be of that site again.
    .filter(({ stored }) =>
      [part.project_id, filter.project_id].every(
        (site = null) => site === null || (stored?.record.head.project_id ?? site) === site,
      ),
    );
  const matches = handled.flatMap(({ event, publishedAt: missedAt, stored }) =>
    stored === undefined
      ? []
      : [{ ...stored, kind: "event" as const, event, projectId: stored.record.head.project_id, missedAt }],
  );
  return {
    matches,
    handled: handled.map(({ key }) => key),
    next: next === undefined ? { list: "end" } : { list: "missed", after: next },
  };
}

/** All deliveries of the records that were sent again, by the id of the record. The others have only the delivery of their publish. */
async function readSiblings(
  store: Store,
  query: MatchQuery,
  records: readonly StoredRecord[],
): Promise<ReadonlyMap<string, readonly Sibling[]>> {
  const { accountId, job, part, onUnreadable } = query;
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
    const batch = ids.slice(first, first + siblingsAtOnce);
    const rows = await findDeliveries(store, accountId, batch, onUnreadable);
    const named = new Set(await onlyNamed(query, rows));
    for (const row of rows) {
      const sibling = { ...toSibling(row), isMatch: named.has(row) && isMatch(job, part, row) };
      const known = siblings.get(row.record_id);
      if (known === undefined) siblings.set(row.record_id, [sibling]);
      else known.push(sibling);
    }
    await nextTurn();
  }
  return siblings;
}

function toSibling(row: DeliveryRow): Omit<Sibling, "isMatch"> {
  const { id, webhook_id, event, kind, record_arrival, status, created_at, completed_at } = row;
  return { id, webhook_id, event, kind, record_arrival, status, created_at, completed_at };
}
