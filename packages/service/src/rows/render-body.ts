import { bodyId, toPreciseTimestamp } from "@hookwright/domain";
import type { Project } from "@hookwright/domain";

export interface BodyParts {
  /** Its characters need no escaping. */
  readonly event: string;
  readonly recordId: string;
  readonly project: BodyProject;
  /** The record's data. */
  readonly json: string;
  /** The fields that the event has in addition to the record. */
  readonly ownFields?: string | undefined;
  /** Milliseconds. The body then has the form `standard`, with this time. @default the form of the specification */
  readonly publishedAt?: number | undefined;
}

type BodyProject = Pick<Project, "id" | "name" | "timezone">;

/**
 * Renders the body of a delivery (contract: Deliveries). It contains the JSON of the record as it is stored, so nothing is parsed, and
 * samples have the same text.
 */
export function renderBody({
  event,
  recordId,
  project,
  json: record,
  ownFields,
  publishedAt,
}: BodyParts): string {
  const json = joinFields(record, ownFields);
  const id = JSON.stringify(bodyId(event, recordId));
  if (publishedAt !== undefined)
    return `{"type":"${event}","timestamp":"${toPreciseTimestamp(publishedAt)}","data":${json},"id":${id},"project":${renderProject(project)}}`;
  return `{"id":${id},"event":"${event}","project":${renderProject(project)},"data":${json}}`;
}

/** Joins the JSON of a record and of the fields that an event has in addition. Both are objects that are not empty. */
export function joinFields(record: string, ownFields: string | undefined): string {
  return ownFields === undefined ? record : `${record.slice(0, -1)},${ownFields.slice(1)}`;
}

/** Each state of a project is parsed once, and so rendered once. */
const rendered = new WeakMap<BodyProject, string>();

function renderProject(project: BodyProject): string {
  const known = rendered.get(project);
  if (known !== undefined) return known;
  const { id, name, timezone } = project;
  const json = JSON.stringify({ id, name, timezone });
  rendered.set(project, json);
  return json;
}
