import type { EventName, RecordSnapshot } from "@hookwright/domain";

/** What is known of a record beside its data. Times are milliseconds. Publishing it again under one of its events sends nothing new. */
export interface RecordHead extends RecordSnapshot {
  readonly project_id: string;
  readonly created_at: number;
  readonly arrival: number;
  /** The deliveries those publishes made: found by record without an index entry for each. */
  readonly deliveries: readonly string[];
  /** What the index entries of an order are made of, as `toIndexText` gives it; the address of a subscriber; empty texts otherwise. */
  readonly status: string;
  readonly email: string;
  readonly number: string;
  /** How often deliveries of it were sent again: a resend writes this row, so that no record changes unseen meanwhile. */
  readonly resends: number;
  /** The e-mail lists of a subscriber. */
  readonly list_ids?: readonly string[] | undefined;
}

export interface RecordRow {
  readonly head: RecordHead;
  /** Another for every change of the data, never used again for this id: what deliveries name instead of keeping the data. */
  readonly version: number;
  /** The record as JSON text, just as the API answers it and deliveries carry it: it is never parsed to be sent. */
  readonly json: string;
}

type HeadCells = readonly [
  version: number,
  projectId: string,
  createdAt: number,
  arrival: number,
  events: readonly EventName[],
  deliveries: readonly string[],
  status: string,
  email: string,
  number: string,
  resends: number,
  listIds: readonly string[] | null,
  asOf?: number,
  published?: readonly number[],
];

/** The data of a record, or its JSON text where that is known already. */
export type RecordContent = { readonly data: object } | { readonly json: string };

/** An array in JSON: version and head, without the names of fields, then the data. One `JSON.stringify` makes one flat text of both. */
export function renderRecordRow(
  { version, head }: Pick<RecordRow, "version" | "head">,
  content: RecordContent,
): string {
  const cells = [
    version,
    head.project_id,
    head.created_at,
    head.arrival,
    head.events,
    head.deliveries,
    head.status,
    head.email,
    head.number,
    head.resends,
    head.list_ids ?? null,
    head.as_of,
    head.published,
    "data" in content ? content.data : null,
  ];
  const row = JSON.stringify(cells);
  return "json" in content ? `${row.slice(0, -"null]".length)}${content.json}]` : row;
}

export function toRecordJson(content: RecordContent): string {
  return "json" in content ? content.json : JSON.stringify(content.data);
}

/**
 * Where the data begins: the first field of every record is its id. No text of the head can have this in it, because the quotes in a text
 * are escaped, and behind one that ends it comes no letter. It does not begin with the comma before it, which would be looked at
 * wherever the head has one.
 */
const dataStart = '{"id":';

interface Parts {
  /** The head ends before it. */
  readonly headEnd: number;
  readonly json: string;
}

function partsOf(text: string): Parts {
  // Rows that were written earlier have two lines.
  if (text.endsWith("}")) {
    const headEnd = text.indexOf("]\n");
    return { headEnd, json: text.slice(headEnd + 2) };
  }
  const start = text.indexOf(dataStart);
  return { headEnd: start - 1, json: text.slice(start, -1) };
}

export function parseRecordRow(text: string): RecordRow {
  const { headEnd, json } = partsOf(text);
  const cells: HeadCells = JSON.parse(`${text.slice(0, headEnd)}]`);
  const listIds = cells[10] ?? undefined;
  return {
    head: {
      project_id: cells[1],
      created_at: cells[2],
      arrival: cells[3],
      events: cells[4],
      // Rows of earlier versions do not say when; they have the order of their events.
      published: cells[12] ?? cells[4].map((_, index) => index),
      as_of: cells[11] ?? Math.max(0, cells[4].length - 1),
      deliveries: cells[5],
      status: cells[6],
      email: cells[7],
      number: cells[8],
      resends: cells[9],
      ...(listIds === undefined ? {} : { list_ids: listIds }),
    },
    version: cells[0],
    json,
  };
}

/** All that a delivery needs. The head is not parsed: none of its first four cells has a comma in it. */
export function readRecordContent(
  text: string,
): Pick<RecordRow, "version" | "json"> & Pick<RecordHead, "arrival"> {
  const versionEnd = text.indexOf(",");
  const projectEnd = text.indexOf(",", versionEnd + 1);
  const createdEnd = text.indexOf(",", projectEnd + 1);
  return {
    version: Number(text.slice(1, versionEnd)),
    arrival: Number(text.slice(createdEnd + 1, text.indexOf(",", createdEnd + 1))),
    json: readRecordJson(text),
  };
}

/** The data alone: all that an answer needs. */
export function readRecordJson(text: string): string {
  return partsOf(text).json;
}
