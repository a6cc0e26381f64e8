import { readServerEvents } from "@hookwright/service";
import type { Store } from "@hookwright/storage";
import type { CheckedOptions } from "../options/read-options.ts";
import { ok, skipped, warning } from "./check.ts";
import type { CheckFinding } from "./check.ts";

/**
 * Whether there are events, and those that webhooks name.
 *
 * @param name what messages call the option of the events
 */
export async function checkEvents(
  store: Store,
  { events, role }: Pick<CheckedOptions, "events" | "role">,
  name: string,
): Promise<CheckFinding> {
  if (role === "worker") return skipped("a worker delivers events that it does not know");
  const { names, removed } = await readServerEvents(store, events);
  if (removed.size > 0) {
    const counts = Array.from(removed, ([event, webhooks]) => `${event} (${webhooks})`)
      .toSorted()
      .join(", ");
    return warning(
      `webhooks name events that are switched off or no longer defined, and get nothing new: ${counts}`,
      `Add the events to ${name}, or ask the owners to remove the webhooks.`,
    );
  }
  if (names.length === 0)
    return warning(
      "there are no events, so there is nothing to publish",
      `Declare your own with PUT /host/v1/event-types/{name}, or change ${name}.`,
    );
  return ok(names.length === 1 ? `there is one event: ${names[0]}` : `there are ${names.length} events`);
}
