import type { OutboxRow } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import { sqlStateOf } from "./postgres-errors.ts";
import type { Row } from "./statement.ts";

/** No event and no site has a longer name. */
const maximumNameLength = 1_000;
/** Of a W3C `traceparent`. */
const traceParentLength = 55;
/** Longer than any valid id of an event, so that a longer one is refused. */
const eventIdLength = 300;
/** PostgreSQL cannot build the text: a short number may have 131,000 digits, and a text at most 1 GB. */
const unreadable: ReadonlySet<string> = new Set(["54000", "53200"]);

/**
 * The columns that {@link toOutboxRow} reads, of the outbox and of the table of rejected rows.
 *
 * @param data the expression of the JSON text, or of null
 */
export function outboxColumns(data: string): string {
  return `id::text, pg_catalog.left(event, ${maximumNameLength}), pg_catalog.left(project_id, ${maximumNameLength}),
    ${data}, pg_catalog.left(traceparent, ${traceParentLength}), pg_catalog.left(event_id, ${eventIdLength})`;
}

export function toOutboxRow([id, event, projectId, data, traceParent, eventId]: Row): OutboxRow {
  return {
    id: id ?? "",
    event: event ?? "",
    projectId: projectId ?? "",
    data: data ?? undefined,
    traceParent: traceParent ?? undefined,
    eventId: eventId ?? undefined,
  };
}

/** Whether a read failed because PostgreSQL cannot build the text of a row. */
export function isUnreadable(error: unknown): boolean {
  return unreadable.has(sqlStateOf(error instanceof StorageError ? error.cause : error) ?? "");
}
