import type { EventName } from "@hookwright/domain";

/** What is known of a record beside its data. Times are milliseconds. */
export interface RecordHead {
  readonly project_id: string;
  readonly created_at: number;
  readonly arrival: number;
  /** The events it was published under: publishing one of them again sends nothing new. */
  readonly events: readonly EventName[];
  /** The deliveries those publishes made: found by record without an index entry for each. */
  readonly deliveries: readonly string[];
  /** What the index entries of an order are made of; empty texts for other kinds. */
  readonly status: string;
  readonly email: string;
  readonly number: string;
  /** The e-mail lists of a subscriber. */
  readonly list_ids?: readonly string[];
}

export interface RecordRow {
  readonly head: RecordHead;
  /** The record as JSON text, just as the API answers it and deliveries carry it: it is never parsed to be sent. */
  readonly json: string;
}

/** Two lines: the head, then the data. JSON texts have no line ends of their own. */
export function renderRecordRow({ head, json }: RecordRow): string {
  return `${JSON.stringify(head)}\n${json}`;
}

export function parseRecordRow(text: string): RecordRow {
  const end = text.indexOf("\n");
  return { head: JSON.parse(text.slice(0, end)), json: text.slice(end + 1) };
}

/** The data alone: all that an answer or a delivery needs. */
export function readRecordJson(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}
