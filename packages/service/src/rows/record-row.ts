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
  /** How often deliveries of it were sent again: whoever makes one writes this row, so that nobody changes it unawares. */
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
  listIds?: readonly string[],
];

/** Two lines: version and head, without the names of fields, then the data. JSON texts have no line ends of their own. */
export function renderRecordRow({ head, version, json }: RecordRow): string {
  const { list_ids: listIds } = head;
  const cells: HeadCells = [
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
  ];
  return `${JSON.stringify(listIds === undefined ? cells : [...cells, listIds])}\n${json}`;
}

export function parseRecordRow(text: string): RecordRow {
  const end = text.indexOf("\n");
  const cells: HeadCells = JSON.parse(text.slice(0, end));
  const listIds = cells[10];
  return {
    head: {
      project_id: cells[1],
      created_at: cells[2],
      arrival: cells[3],
      events: cells[4],
      deliveries: cells[5],
      status: cells[6],
      email: cells[7],
      number: cells[8],
      resends: cells[9],
      ...(listIds === undefined ? {} : { list_ids: listIds }),
    },
    version: cells[0],
    json: text.slice(end + 1),
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
  return text.slice(text.indexOf("\n") + 1);
}
