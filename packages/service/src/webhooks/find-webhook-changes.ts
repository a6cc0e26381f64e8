import { eventsOf } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { findChanges } from "../audit/field-changes.ts";
import type { ChangedField } from "../audit/field-changes.ts";

/** What an entry of the audit log says of a webhook that was created, changed or deleted. */
export function findWebhookChanges(
  before: WebhookRow | undefined,
  after: WebhookRow | undefined,
): ChangedField[] {
  return findChanges(before && chosenOf(before), after === undefined ? {} : chosenOf(after));
}

/** What the owner or the operator has chosen, but for the headers. A row with one event may have it only in its key. */
function chosenOf(row: WebhookRow): object {
  const { name, target_url, project_id, max_per_second, host_max_per_second, ordered, body_form } = row;
  const events = eventsOf(row);
  return { events, name, target_url, project_id, max_per_second, host_max_per_second, ordered, body_form };
}
