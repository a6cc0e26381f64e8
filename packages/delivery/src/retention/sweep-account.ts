import type { OnError } from "@hookwright/domain";
import type { Entry, Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { parseDeliveryRow } from "../rows/delivery-row.ts";
import type { DeliveryRow } from "../rows/delivery-row.ts";
import { parseRowSize, renderRowSize } from "../rows/row-size.ts";

export interface RetentionLimits {
  /** Deliveries that ended before this are removed, in milliseconds since the epoch. */
  readonly endedBefore: number;
  /** So many of an account are kept at most; of more, the oldest ended ones go. */
  readonly maximumKept: number;
  /** The rows of an account take so many bytes at most; of more, the oldest ended ones go. */
  readonly maximumBytes: number;
}

export interface SweepOptions extends RetentionLimits {
  readonly store: Store;
  readonly accountId: string;
  /** Between two windows: whoever waits for the store or the processor goes first. */
  readonly pause: () => Promise<void>;
  /** Told of deliveries that cannot be read. They stay. */
  readonly onFault: OnError;
}

/** Rows read or removed at once. */
const windowSize = 100;
/** Entries of the log's index. */
const countedAtOnce = 200;

/** Removes what the delivery log need not keep any longer. A delivery that is not ended yet stays, however old it is. */
export async function sweepAccount(options: SweepOptions): Promise<void> {
  const { store, accountId, endedBefore, pause, onFault } = options;
  let { count: tooMany, bytes: tooManyBytes } = await measureExcess(options);
  if (tooMany <= 0 && tooManyBytes <= 0 && !(await isOldestDue(options))) return;
  let after: Key | undefined;
  const unreadable: UnreadableRow[] = [];
  for (;;) {
    const entries = await store.list({ prefix: keys.deliveries(accountId), limit: windowSize, after });
    const deliveries: DeliveryRow[] = [];
    const ended: DeliveryRow[] = [];
    for (const entry of entries) {
      const delivery = readRow(entry, (row) => unreadable.push(row));
      if (delivery === undefined) continue;
      deliveries.push(delivery);
      if (delivery.completed_at === null) continue;
      if (tooMany <= 0 && tooManyBytes <= 0 && delivery.completed_at >= endedBefore) continue;
      tooMany -= 1;
      tooManyBytes -= parseRowSize(renderRowSize(entry.value));
      ended.push(delivery);
    }
    const partition = keys.deliveries(accountId)[0];
    if (ended.length > 0) {
      await store.commit(partition, {
        mutations: ended.flatMap((delivery) => toRemoval(accountId, delivery)),
      });
    }
    after = entries.at(-1)?.key;
    const last = deliveries.at(-1);
    if (entries.length < windowSize) break;
    // Rows are in order of creation: from here on nothing has ended before.
    if (tooMany <= 0 && tooManyBytes <= 0 && last !== undefined && last.created_at >= endedBefore) break;
    await pause();
  }
  if (unreadable.length > 0)
    onFault(unreadableRows(accountId, unreadable), {
      account_id: accountId,
      count: unreadable.length,
      code: "deliveries_unreadable",
    });
}

interface UnreadableRow {
  readonly id: string;
  readonly cause: unknown;
}

/** One that is damaged must not keep the others for ever. */
function readRow(
  { key, value }: Entry,
  onUnreadable: (row: UnreadableRow) => void = () => {},
): DeliveryRow | undefined {
  try {
    return parseDeliveryRow(value);
  } catch (cause) {
    onUnreadable({ id: String(key.at(-1)), cause });
    return undefined;
  }
}

function unreadableRows(accountId: string, [first, ...others]: readonly UnreadableRow[]): Error {
  return new Error(
    `deliveries of account ${accountId} that cannot be read, and stay: ${others.length + 1}, the first ${first?.id}`,
    { cause: first?.cause },
  );
}

/** Rows are in order of creation, and most accounts have none that is old enough: a window of them is read for nothing. */
async function isOldestDue({ store, accountId, endedBefore }: SweepOptions): Promise<boolean> {
  const [oldest] = await store.list({ prefix: keys.deliveries(accountId), limit: 1 });
  if (oldest === undefined) return false;
  const row = readRow(oldest);
  // Who reads the whole window tells of it.
  return row === undefined || row.created_at < endedBefore;
}

interface Excess {
  readonly count: number;
  readonly bytes: number;
}

/**
 * By how much the log exceeds its limits, at most by what has ended: nothing else may go. Read from the log's index, so that the rows
 * themselves are not read.
 */
async function measureExcess({
  store,
  accountId,
  maximumKept,
  maximumBytes,
  pause,
}: SweepOptions): Promise<Excess> {
  const all = { count: 0, bytes: 0 };
  const ended = { count: 0, bytes: 0 };
  let after: Key | undefined;
  for (;;) {
    const entries = await store.list({ prefix: keys.logs(accountId), limit: countedAtOnce, after });
    for (const { key, value } of entries) {
      const bytes = parseRowSize(value);
      const [status] = key.slice(statusPlace);
      for (const sum of status === "pending" ? [all] : [all, ended]) {
        sum.count += 1;
        sum.bytes += bytes;
      }
    }
    if (entries.length < countedAtOnce) break;
    after = entries.at(-1)?.key;
    await pause();
  }
  return {
    count: Math.min(all.count - maximumKept, ended.count),
    bytes: Math.min(all.bytes - maximumBytes, ended.bytes),
  };
}

/** The status stands before kind and id in the key of an entry. */
const statusPlace = -3;

function toRemoval(accountId: string, delivery: DeliveryRow): Mutation[] {
  const {
    id,
    event,
    webhook_id: webhookId,
    project_id: projectId,
    record_id: recordId,
    status,
    kind,
  } = delivery;
  const removal: Key[] = [
    keys.delivery(accountId, id),
    keys.log(accountId, { event, webhookId, projectId, status, kind, deliveryId: id }),
    keys.deliveryOfRecord(accountId, recordId, id),
  ];
  return removal.map((key): Mutation => ({ type: "delete", key }));
}
