import type { ConsoleWebhook } from "@hookwright/domain";

type Events = Pick<ConsoleWebhook, "events">;

/** @example describeEvents({ events: ["order.created", "order.paid"] }) // "order.created and 1 more" */
export function describeEvents({ events: [first = "", ...others] }: Events): string {
  if (first === "*") return "All events";
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** @example listEvents({ events: ["order.created", "order.paid"] }) // "order.created, order.paid" */
export function listEvents({ events }: Events): string {
  return events.includes("*") ? "All events" : events.join(", ");
}

/** Whether a webhook gets an event. */
export function getsEvent({ events }: Events, event: string): boolean {
  return events.includes(event) || events.includes("*");
}
