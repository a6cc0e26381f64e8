import type { Clock } from "@hookwright/delivery";
import { isHookwrightError, parseOutboxJson } from "@hookwright/domain";
import type { WriteLogLine } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { Outbox, OutboxRow, OutboxSession } from "@hookwright/storage";
import { createRecordBackoff } from "./record-backoff.ts";

/** Publishes the rows of an outbox. Of all processes with the same outbox, one does it at a time. */
export interface Relay {
  start(): void;
  /** Finishes the publications in progress, then frees the outbox for other processes. */
  close(): Promise<void>;
  readonly status: () => RelayStatus;
}

export interface RelayStatus {
  /** Whether this process has the right to relay. */
  readonly relays: boolean;
  /** The last error, until a pass has published something and left nothing. */
  readonly error: unknown;
}

/** @param row.traceParent the trace of the insert, as the host wrote it */
export type PublishFromOutbox = (
  input: unknown,
  row: { readonly takes: string | undefined; readonly traceParent: string | undefined },
) => Promise<unknown>;

export interface RelayOptions {
  readonly outbox: Outbox;
  /** Whether the outbox is in the database of the store. Then a commit publishes an event and deletes its row. */
  readonly isInStore: boolean;
  /** Whether transactions of the host notify the relay while it sleeps. */
  readonly notify: boolean;
  /** Publishes the event of a row. `takes` is the id of the row, if it is in the database of the store. */
  readonly publish: PublishFromOutbox;
  /** Whether another process on the store has known an event that this one does not know. */
  readonly isKnownElsewhere: (event: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: WriteLogLine;
  readonly onRejected: (count: number) => void;
}

/** After rows, the relay polls after this delay, which doubles while there are none. */
const firstPollMs = 5;
/** From this delay on, the relay sleeps and is notified. Until then, transactions of the host notify nobody. */
const sleepMs = 40;
/** While it sleeps, for notifications that are lost. */
const longestPollMs = 1_000;
/** The same without notifications. */
const longestPollMsAlone = 100;
/** While another process relays. */
const standbyMs = 2_000;
const rowsPerRead = 500;
/** A pass in which only rows fail ends after this many. They may be all rows, and their records are remembered. */
const maximumFailures = 10_000;
const beforeAllRows = "-9223372036854775808";

/** The outcome of one row. `failed`: for an unexpected reason, so it is published later. */
type Outcome =
  | { readonly type: "published" }
  | { readonly type: "rejected"; readonly code: string; readonly message: string }
  /** Another process has taken or locked the row. */
  | { readonly type: "taken" }
  /** Another process must publish the row, because it knows the event. */
  | { readonly type: "foreign"; readonly error: unknown }
  | { readonly type: "failed"; readonly error: unknown };

interface Counts {
  readonly failed: number;
  /** Published or rejected. */
  readonly done: number;
}

interface ParsedRow {
  /** Its place among the rows that were read. */
  readonly place: number;
  readonly row: OutboxRow;
  readonly data: unknown;
}

interface RejectedRow {
  readonly place: number;
  readonly record: string;
  readonly row: OutboxRow;
  readonly code: string;
  readonly message: string;
}

/**
 * Creates the relay of an outbox.
 *
 * A pass reads all rows from the lowest id. Rows of one record are published one after the other, all others together. Nothing
 * is remembered between passes but the back-off of records, because a row with a low id may be committed late.
 */
export function createRelay(options: RelayOptions): Relay {
  const { outbox, isInStore, notify, publish, isKnownElsewhere, clock, log, onRejected } = options;
  const recordBackoff = createRecordBackoff({ now: clock.now });
  /** Of the whole relay, while nothing can be published. */
  const relayBackoff = createRecordBackoff({ now: clock.now });
  let isClosed = false;
  let hasNews = false;
  /** The last pass left a row to a process that knows its event. */
  let hasForeign = false;
  let relays = false;
  let lastError: unknown;
  let running: Promise<void> | undefined;
  /** Ends the current wait. */
  let wake: (() => void) | undefined;

  function wait(ms: number): Promise<void> {
    if (isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        wake = undefined;
        resolve();
      };
      const cancel = clock.schedule(end, ms);
      wake = end;
    });
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      try {
        let isLost = false;
        const session = await outbox.openSession({
          notify,
          onRows() {
            hasNews = true;
            if (!relayBackoff.isWaiting(relayKey)) wake?.();
          },
          onLost() {
            isLost = true;
            wake?.();
          },
        });
        relays = session !== undefined;
        if (session === undefined) {
          await wait(standbyMs);
          continue;
        }
        try {
          await relayRows(session, () => isLost);
        } finally {
          session[Symbol.dispose]();
          relays = false;
        }
        // Longer than the others wait, so that one of them gets the outbox.
        if (hasForeign) await wait(2 * standbyMs);
      } catch (error) {
        if (isClosed) return;
        lastError = error;
        log("outbox_unavailable", { schema: outbox.schema, error });
        await wait(relayBackoff.fail(relayKey));
      }
    }
  }

  async function relayRows(session: OutboxSession, isLost: () => boolean): Promise<void> {
    const longestMs = notify ? longestPollMs : longestPollMsAlone;
    let pollMs = longestMs;
    while (!isClosed && !isLost()) {
      if (hasNews) pollMs = firstPollMs;
      hasNews = false;
      hasForeign = false;
      const isAwake = pollMs < sleepMs;
      const { failed, done } = await relayAll(session, isAwake);
      if (hasForeign) return;
      if (failed > 0 && done === 0) await wait(relayBackoff.fail(relayKey));
      else {
        relayBackoff.succeed(relayKey);
        pollMs = done > 0 ? firstPollMs : Math.min(2 * pollMs, longestMs);
        // It falls asleep with another pass, for rows that came since this one and notified nobody.
        const fallsAsleep = notify && isAwake && pollMs >= sleepMs;
        if (!hasNews && !isLost() && !fallsAsleep) await wait(Math.min(pollMs, recordBackoff.nextMs()));
      }
    }
  }

  /**
   * Counts rows that failed, and those that were published or rejected. It goes on after a page of failures, which may all be
   * of one account.
   */
  async function relayAll(session: OutboxSession, wasAwake: boolean): Promise<Counts> {
    let failed = 0;
    let done = 0;
    let isAwake = wasAwake;
    /** Records with a row that was left. A later page must not overtake it, even if the record is due by then. */
    const held = new Set<string>();
    recordBackoff.startPass();
    for (let after = beforeAllRows; !isClosed && (failed < maximumFailures || done > 0);) {
      const rows = await session.read({ after, limit: rowsPerRead, isAwake });
      const last = rows.at(-1);
      if (last === undefined) {
        recordBackoff.endPass();
        break;
      }
      const counted = await publishRows(rows, held, session.maximumBytes);
      failed += counted.failed;
      done += counted.done;
      isAwake ||= counted.done > 0;
      after = last.id;
    }
    if (done > 0 && held.size === 0) lastError = undefined;
    return { failed, done };
  }

  /** Rows that wait are not counted. */
  async function publishRows(
    rows: readonly OutboxRow[],
    held: Set<string>,
    maximumBytes: number,
  ): Promise<Counts> {
    const published: string[] = [];
    const rejected: RejectedRow[] = [];
    const errors: unknown[] = [];

    async function publishRecord(record: string, queue: readonly ParsedRow[]): Promise<void> {
      if (recordBackoff.isWaiting(record)) held.add(record);
      if (held.has(record)) return;
      for (const { place, row, data } of queue) {
        if (isClosed) return;
        const outcome = await publishRow(row, data, maximumBytes);
        if (outcome.type === "published") published.push(row.id);
        else if (outcome.type === "rejected") rejected.push({ ...outcome, place, record, row });
        else {
          held.add(record);
          if (outcome.type === "foreign") hasForeign = true;
          else recordBackoff.fail(record);
          if (outcome.type !== "taken") errors.push(outcome.error);
          return;
        }
      }
      recordBackoff.succeed(record);
    }

    const records = groupByRecord(rows);
    await Promise.all(Array.from(records, ([record, queue]) => publishRecord(record, queue)));
    if (!isInStore && published.length > 0) await outbox.remove(published);
    const hasRejected =
      rejected.length > 0 &&
      (await rejectRows(
        rejected.toSorted((one, other) => one.place - other.place),
        errors,
      ));
    const [error] = errors;
    lastError = error ?? lastError;
    if (errors.length > 0)
      log("outbox_not_published", { schema: outbox.schema, failed: errors.length, error });
    return { failed: errors.length, done: published.length + (hasRejected ? rejected.length : 0) };
  }

  async function rejectRows(rejected: readonly RejectedRow[], errors: unknown[]): Promise<boolean> {
    try {
      await outbox.reject(rejected.map(({ row, code, message }) => ({ id: row.id, code, message })));
    } catch (error) {
      errors.push(error);
      for (const { record } of rejected) recordBackoff.fail(record);
      return false;
    }
    onRejected(rejected.length);
    for (const { row, code, message } of rejected) {
      const event = row.event.slice(0, shownEventLength);
      log("outbox_rejected", {
        schema: outbox.schema,
        outbox_id: row.id,
        event,
        reason: code,
        problem: message,
      });
    }
    return true;
  }

  async function publishRow(row: OutboxRow, data: unknown, maximumBytes: number): Promise<Outcome> {
    const { id, event, projectId, eventId } = row;
    const reject = (code: string, message: string): Outcome => ({ type: "rejected", code, message });
    if (row.data === undefined)
      return reject("validation_failed", `data: must have at most ${maximumBytes / 2 ** 20} MiB of JSON`);
    try {
      const takes = isInStore ? id : undefined;
      await publish(
        { event, project_id: projectId, data, id: eventId },
        { takes, traceParent: row.traceParent },
      );
      return { type: "published" };
    } catch (error) {
      if (isHookwrightError(error) && error.code === "unknown_event" && (await isKnownElsewhere(event)))
        return { type: "foreign", error };
      if (isHookwrightError(error) && error.status < 500) return reject(error.code, error.message);
      if (error instanceof StorageError) {
        if (error.code === "already_taken") return { type: "taken" };
        if (refusedValues.has(error.code)) return reject("validation_failed", `data: ${error.message}`);
      }
      return { type: "failed", error };
    }
  }

  return {
    status: () => ({ relays, error: lastError }),
    start() {
      running ??= run();
    },
    async close() {
      isClosed = true;
      wake?.();
      await running;
    },
  };
}

const relayKey = "relay";
const shownEventLength = 100;

/** The store cannot hold the event, whenever it is published. */
const refusedValues: ReadonlySet<string> = new Set([
  "invalid_key",
  "key_too_long",
  "invalid_value",
  "value_too_large",
]);

/** In the order of the rows. */
function groupByRecord(rows: readonly OutboxRow[]): ReadonlyMap<string, readonly ParsedRow[]> {
  const records = new Map<string, ParsedRow[]>();
  for (const [place, row] of rows.entries()) {
    const data = row.data === undefined ? undefined : parseOutboxJson(row.data);
    const record = recordOf(row, data);
    const queue = records.get(record);
    if (queue === undefined) records.set(record, [{ place, row, data }]);
    else queue.push({ place, row, data });
  }
  return records;
}

/** Rows with the same text may be about the same record. */
function recordOf({ id, projectId }: OutboxRow, data: unknown): string {
  if (typeof data === "object" && data !== null && "id" in data) {
    const { id: recordId } = data;
    if (["string", "number", "bigint", "boolean"].includes(typeof recordId))
      return JSON.stringify([projectId, String(recordId).trim()]);
  }
  return id;
}
