import { createHash } from "node:crypto";
import { beginningOf } from "@hookwright/domain";
import type { RecordSnapshot } from "@hookwright/domain";

/** The metadata of a record. Times are milliseconds since the epoch. Publishing it again under one of its events sends nothing. */
export interface RecordHead extends RecordSnapshot {
  readonly project_id: string;
  readonly created_at: number;
  readonly arrival: number;
  /** The deliveries of its publishes. They need no index entry by record. */
  readonly deliveries: readonly string[];
  /** The index text of an order (see `toIndexText()`). Otherwise empty. */
  readonly status: string;
  /** The index text of the customer's address, or the address of a subscriber. Empty: there is none. Earlier versions stored it only for these kinds. */
  readonly email: string;
  /** The index text of an order. Otherwise empty. */
  readonly number: string;
  /** The number of resends. Each resend writes this row, so that a concurrent change of the record fails its check. */
  readonly resends: number;
  /** The e-mail lists of a subscriber. */
  readonly list_ids?: readonly string[] | undefined;
  /** By event of the host: the fields that it has in addition to the record, as JSON text. */
  readonly own_fields?: OwnFields | undefined;
  /**
   * The record that an event with an id is about. The row then has the data of that event as it was published, which never changes. Its
   * kind is the name of the event. Absent: the row is a record.
   */
  readonly about?: RecordName | undefined;
}

/** A record of an account. */
export interface RecordName {
  readonly kind: string;
  readonly id: string;
}

export type OwnFields = Readonly<Record<string, string>>;

export interface RecordRow {
  readonly head: RecordHead;
  /** Changes with the data and is never reused for this id. Deliveries store it instead of the data. */
  readonly version: number;
  /** The record as JSON text, in the form that responses and deliveries contain. */
  readonly json: string;
}

type HeadCells = readonly [
  version: number,
  projectId: string,
  createdAt: number,
  arrival: number,
  events: readonly string[],
  deliveries: readonly string[],
  status: string,
  email: string,
  number: string,
  resends: number,
  listIds: readonly string[] | null,
  asOf?: number,
  published?: readonly number[],
  ownFields?: OwnFields | null,
  about?: readonly [kind: string, id: string],
];

/** The data of a record, or its JSON text if the caller has it already. */
export type RecordContent = { readonly data: object } | { readonly json: string };

/** Renders a JSON array of version, head (without field names) and data. A single `JSON.stringify` produces a flat string. */
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
  if (head.about !== undefined)
    cells.splice(-1, 0, head.own_fields ?? null, [head.about.kind, head.about.id]);
  else if (head.own_fields !== undefined) cells.splice(-1, 0, head.own_fields);
  const row = JSON.stringify(cells);
  return "json" in content ? `${row.slice(0, -"null]".length)}${content.json}]` : row;
}

export function toRecordJson(content: RecordContent): string {
  return "json" in content ? content.json : JSON.stringify(content.data);
}

/**
 * The start of the data: the first field of every record is its id. The head cannot contain this text, because JSON escapes quotes
 * inside strings, and own fields are stored as text. The preceding comma is left out to make the search faster.
 */
const dataStart = '{"id":';

interface Parts {
  /** The end of the head, exclusive. */
  readonly headEnd: number;
  readonly json: string;
}

function partsOf(text: string): Parts {
  // Rows of older versions have two lines.
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
      // Rows of older versions have no publish times, only the order of their events.
      published: cells[12] ?? cells[4].map((_, index) => index),
      as_of: cells[11] ?? Math.max(0, cells[4].length - 1),
      deliveries: cells[5],
      status: cells[6],
      email: cells[7],
      number: cells[8],
      resends: cells[9],
      ...(listIds === undefined ? {} : { list_ids: listIds }),
      ...(cells[13] && { own_fields: cells[13] }),
      ...(cells[14] && { about: { kind: cells[14][0], id: cells[14][1] } }),
    },
    version: cells[0],
    json,
  };
}

/** The fields that an event of the host has in addition to the record, as JSON text. */
export function ownFieldsOf({ own_fields: own }: RecordHead, event: string): string | undefined {
  return own !== undefined && Object.hasOwn(own, event) ? own[event] : undefined;
}

/** Reads what a delivery needs without parsing the head. The first four cells contain no comma. */
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

/** Reads only the data, for responses. */
export function readRecordJson(text: string): string {
  return partsOf(text).json;
}

/** A key must hold three such texts and several ids. */
const maximumBytes = 256;

/** Converts a text for an index key. A text that is too long becomes its beginning and a hash. Filters must use the same form. */
export function toIndexText(text: string): string {
  // UTF-8 needs at most three bytes per UTF-16 unit. A NUL takes two bytes in a key.
  if (text.length * 3 <= maximumBytes || keyBytes(text) <= maximumBytes) return text;
  return `${beginningOf(text, 32)}…${createHash("sha256").update(text).digest("base64url")}`;
}

function keyBytes(text: string): number {
  return Buffer.byteLength(text) + text.split("\0").length - 1;
}
