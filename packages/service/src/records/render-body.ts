import { createTextCache } from "@hookwright/delivery";
import { bodyId } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import { parseProjectRow } from "../accounts/account-row.ts";

export interface BodyParts {
  readonly event: EventName;
  readonly recordId: string;
  /** The site's row, as it is stored. */
  readonly project: string;
  /** The record's data. */
  readonly json: string;
}

/**
 * Renders the body of a delivery (specification §6.3). The record's JSON is spliced in as it is stored, so samples and
 * deliveries carry the same text, and nothing is parsed to be sent.
 */
export function createRenderBody(): (parts: BodyParts) => string {
  // The envelope's `project`, rendered once for each state a site has been in.
  const renderProject = createTextCache((text) => {
    const { id, name, timezone } = parseProjectRow(text);
    return { json: JSON.stringify({ id, name, timezone }) };
  });
  return ({ event, recordId, project, json }) =>
    // Event names and record ids are letters, digits and `_.:-`: nothing to escape.
    `{"id":"${bodyId(event, recordId)}","event":"${event}","project":${renderProject(project).json},"data":${json}}`;
}
