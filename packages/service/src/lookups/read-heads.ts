import type { OnError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { ReadBudget } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { RecordHead, RecordName } from "../rows/record-row.ts";

/** A record that a text names, and by what. With an empty kind it stands for the deliveries that the index has of the id. */
export interface MatchedRecord extends RecordName {
  /** Has the other deliveries. `undefined` with an empty kind. */
  readonly head: RecordHead | undefined;
  /** `about`: it is an event with an id, and the text names the record that it is about. */
  readonly by: "id" | "number" | "email" | "about";
}

export interface MatchedRecords {
  readonly records: readonly MatchedRecord[];
  /** False: there are more. */
  readonly isComplete: boolean;
}

export interface NamedRecord extends RecordName {
  readonly by: Exclude<MatchedRecord["by"], "id">;
}

export interface NamedRecords {
  readonly records: readonly NamedRecord[];
  /** False: there are more. */
  readonly isComplete: boolean;
}

/** Events of one record that a search names. If there are more, deliveries are filtered. */
const maximumEvents = 100;

/** The events with an id that are about records. */
export async function listEventsAbout(
  store: Store,
  accountId: string,
  about: readonly RecordName[],
  budget: ReadBudget,
): Promise<NamedRecords> {
  const records: NamedRecord[] = [];
  let isComplete = true;
  for (const { kind, id } of about) {
    const limit = budget.startRead(maximumEvents);
    const prefix = keys.eventsOfRecord(accountId, kind, id);
    const entries = limit === 0 ? [] : await store.list({ prefix, limit });
    isComplete &&= entries.length < limit;
    records.push(
      ...entries.map(({ key }) => ({
        kind: String(key.at(-2)),
        id: String(key.at(-1)),
        by: "about" as const,
      })),
    );
  }
  return { records, isComplete };
}

export function toName({ kind, id }: RecordName): string {
  return `${kind} ${id}`;
}

/** Reads the head of a stored record. `undefined`: it is damaged. */
export type ReadHead = (name: RecordName, text: string) => RecordHead | undefined;

/** Damaged records are left out. The first one is reported. */
export function createReadHead(onError: OnError, accountId: string): ReadHead {
  let isReported = false;
  return ({ kind, id }, text) => {
    try {
      const { head } = parseRecordRow(text);
      if (Array.isArray(head.deliveries) && typeof head.number === "string") return head;
      throw new Error("it has other fields");
    } catch (cause) {
      if (!isReported) {
        const error = new Error(`a search omits a record that cannot be read: ${kind} ${id}`, { cause });
        onError(error, { account_id: accountId, code: "record_unreadable" });
      }
      isReported = true;
      return undefined;
    }
  };
}

/** Rows have up to 256 KiB. */
export const rowsAtOnce = 32;

export interface HeadQuery {
  readonly accountId: string;
  readonly named: readonly NamedRecord[];
  readonly budget: ReadBudget;
  readonly readHead: ReadHead;
}

/** Reads what names the deliveries of records. */
export async function readHeads(
  store: Store,
  { accountId, named, budget, readHead }: HeadQuery,
): Promise<MatchedRecords> {
  const records: MatchedRecord[] = [];
  let first = 0;
  while (first < named.length) {
    const size = budget.isSpent ? 0 : budget.startRead(rowsAtOnce);
    if (size === 0) return { records, isComplete: false };
    const batch = named.slice(first, first + size);
    const texts = await store.getMany(batch.map(({ kind, id }) => keys.record(accountId, kind, id)));
    for (const [index, name] of batch.entries()) {
      const text = texts[index];
      if (text === undefined) continue;
      if (!budget.take(text.length)) return { records, isComplete: false };
      const head = readHead(name, text);
      if (head !== undefined) records.push({ ...name, head });
    }
    first += size;
  }
  return { records, isComplete: true };
}
