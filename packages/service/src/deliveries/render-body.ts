import { bodyId } from "@hookwright/domain";
import type { EventName, Project } from "@hookwright/domain";

export interface BodyParts {
  readonly event: EventName;
  readonly recordId: string;
  readonly project: BodyProject;
  /** The record's data. */
  readonly json: string;
}

type BodyProject = Pick<Project, "id" | "name" | "timezone">;

/**
 * Renders the body of a delivery (specification §6.3). The record's JSON is spliced in as it is stored, so samples and
 * deliveries carry the same text, and nothing is parsed to be sent.
 */
export function renderBody({ event, recordId, project, json }: BodyParts): string {
  return `{"id":${JSON.stringify(bodyId(event, recordId))},"event":"${event}","project":${renderProject(project)},"data":${json}}`;
}

/** A site's row is parsed once for each state it has been in, and so rendered once. */
const rendered = new WeakMap<BodyProject, string>();

function renderProject(project: BodyProject): string {
  const known = rendered.get(project);
  if (known !== undefined) return known;
  const { id, name, timezone } = project;
  const json = JSON.stringify({ id, name, timezone });
  rendered.set(project, json);
  return json;
}
