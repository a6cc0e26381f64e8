import { isRecordId } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { findBeginnings, toLowerAscii } from "@hookwright/storage/sorted-runs";
import type { ReadBudget } from "@hookwright/storage/sorted-runs";
import { eventOfRecordTable, keys } from "../rows/keys.ts";
import type { RecordName } from "../rows/record-row.ts";
import { listEventsAbout, readHeads, toName } from "./read-heads.ts";
import type { MatchedRecord, MatchedRecords, ReadHead } from "./read-heads.ts";

/** What the id of a record is, or begins with. With an event it is the rest of a body id. */
export interface Beginning {
  readonly event?: string;
  readonly text: string;
}

/** Without an event, a shorter text must be the whole id. Every id of an account may begin with the same letter. */
const shortestBeginning = 3;
/** A body id of an event that the host has removed may end its name at any underscore. More of them are not tried. */
const maximumUnknownNames = 8;

/** `order.created_ord_1001` is a body id of `order.created`, and it may be the id of a record. */
export function findBeginningsOfIds(events: EventRegistry, text: string): readonly Beginning[] {
  // `webhook-id` has other characters than visible ASCII as percent codes.
  const decoded = text.replace(/(?:%[89a-f][0-9a-f])+/giu, decodeOr);
  const folded = toLowerAscii(decoded);
  const known = events.names.map(toLowerAscii).filter((name) => folded.startsWith(`${name}_`));
  const names = known.length > 0 ? known : findUnknownNames(folded);
  return [
    { text },
    ...names.map((event) => ({ event, text: toLowerAscii(decoded.slice(event.length + 1)) })),
  ].filter((each) => isRecordId(each.text));
}

export function beginsWith(recordId: string, beginning: Beginning): boolean {
  const folded = toLowerAscii(recordId);
  return isTooShort(beginning) ? folded === beginning.text : folded.startsWith(beginning.text);
}

function isTooShort({ event, text }: Beginning): boolean {
  return event === undefined && text.length < shortestBeginning;
}

function findUnknownNames(text: string): readonly string[] {
  const [beginning = ""] = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+){1,4}/u.exec(text) ?? [];
  const ends = [...beginning.matchAll(/_/gu)].map(({ index }) => index);
  return ends
    .map((end) => text.slice(0, end))
    .filter((name) => name.includes(".") && !name.endsWith("."))
    .slice(0, maximumUnknownNames);
}

function decodeOr(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

const maximumKinds = 100;
/** Kinds that are searched together. */
const searchesAtOnce = 8;

export interface IdQuery {
  readonly accountId: string;
  readonly beginnings: readonly Beginning[];
  readonly isWhole?: boolean | undefined;
  readonly budget: ReadBudget;
  readonly readHead: ReadHead;
}

/**
 * The records whose ids begin like this, and removed ones that still have deliveries. Also the events that were published with an id and
 * are about such a record.
 */
export async function findByIds(
  store: Store,
  { accountId, beginnings, isWhole = false, budget, readHead }: IdQuery,
): Promise<MatchedRecords> {
  const prefix = keys.records(accountId);
  const [listed, byRecord] = await Promise.all([
    listRuns(store, accountId),
    listKinds(store, keys.eventsByRecord(accountId)),
  ]);
  const searches = beginnings.flatMap((beginning) =>
    // A body id has the id of the event.
    [...listed.runs, ...(beginning.event === undefined ? byRecord.runs : [])].map((run) => ({
      prefix: run,
      text: beginning.text,
      isWhole: isWhole || isTooShort(beginning),
      budget,
    })),
  );
  const records = new Map<string, MatchedRecord>();
  const withEvents: RecordName[] = [];
  let isComplete = listed.isComplete && byRecord.isComplete;
  for (let first = 0; first < searches.length; first += searchesAtOnce) {
    if (budget.isSpent) return { records: [...records.values()], isComplete: false };
    const batch = searches.slice(first, first + searchesAtOnce);
    const found = await Promise.all(batch.map((search) => findBeginnings(store, search)));
    isComplete &&= found.every((each) => each.isComplete);
    for (const { key, value } of found.flatMap(({ entries }) => entries)) {
      if (key[1] === eventOfRecordTable) {
        withEvents.push({ kind: String(key.at(-4)), id: String(key.at(-3)) });
        continue;
      }
      const isRow = key[1] === prefix[1];
      const name = isRow
        ? { kind: String(key.at(-2)), id: String(key.at(-1)) }
        : // The entry of a delivery.
          { kind: "", id: String(key.at(-2)) };
      const head = isRow ? readHead(name, value) : undefined;
      if (!isRow || head !== undefined) records.set(toName(name), { ...name, head, by: "id" });
    }
  }
  const events = await listEventsAbout(store, accountId, withEvents, budget);
  const read = await readHeads(store, { accountId, named: events.records, budget, readHead });
  for (const event of read.records) if (!records.has(toName(event))) records.set(toName(event), event);
  return {
    records: [...records.values()],
    isComplete: isComplete && events.isComplete && read.isComplete,
  };
}

interface Runs {
  readonly runs: readonly Key[];
  /** False: there are more kinds. */
  readonly isComplete: boolean;
}

/** The records of each kind, and the deliveries by record. The next part of a key is the id of a record. */
async function listRuns(store: Store, accountId: string): Promise<Runs> {
  const { runs, isComplete } = await listKinds(store, keys.records(accountId));
  return { runs: [...runs, keys.deliveriesByRecord(accountId)], isComplete };
}

async function listKinds(store: Store, prefix: Key): Promise<Runs> {
  const kinds = await store.list({ prefix, limit: maximumKinds, groupBy: 1 });
  return {
    runs: kinds.map(({ key }): Key => [...prefix, String(key[prefix.length])]),
    isComplete: kinds.length < maximumKinds,
  };
}

/**
 * Whether the ids of all records begin with a text, also those of removed records that have deliveries. Ids are sorted, so only the
 * first and the last id of each run are read.
 */
export async function areAllRecords(store: Store, accountId: string, text: string): Promise<boolean> {
  if (isTooShort({ text })) return false;
  const { runs, isComplete } = await listRuns(store, accountId);
  const areAll = await Promise.all(
    runs.map(async (run) => {
      const readEnd = async (reverse: boolean): Promise<string | undefined> => {
        const [entry] = await store.list({ prefix: run, limit: 1, reverse });
        return entry && String(entry.key[run.length]).slice(0, text.length);
      };
      const [first, last] = await Promise.all([readEnd(false), readEnd(true)]);
      return first === last && (first === undefined || toLowerAscii(first) === text);
    }),
  );
  return isComplete && areAll.every(Boolean);
}
