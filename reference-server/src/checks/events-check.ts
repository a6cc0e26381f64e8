import { readServerEvents } from "hookwright";
import type { BuiltInEvents } from "hookwright";
import type { Store } from "@hookwright/storage";
import { nameOf } from "../options/option.ts";
import { options } from "../options/options.ts";
import { ok, warning } from "./check.ts";
import type { Finding } from "./check.ts";

/** Whether the server has events, and those that its webhooks name. */
export async function checkEvents(store: Store, builtIn: BuiltInEvents): Promise<Finding> {
  const { names, switchedOff } = await readServerEvents(store, builtIn);
  const name = nameOf(options.builtInEvents);
  if (switchedOff.size > 0) {
    const counts = Array.from(switchedOff, ([event, webhooks]) => `${event} (${webhooks})`).join(", ");
    return warning(
      `webhooks name events that are switched off, and get nothing new: ${counts}`,
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
