import { HookwrightError, unknownEventProblem } from "@hookwright/domain";
import type { EventRegistry, RegisteredEvent } from "@hookwright/domain";

/**
 * @param field names the input in the message
 * @throws HookwrightError `unknown_event`
 */
export function expectEvent(events: EventRegistry, name: string, field: "event" | "type"): RegisteredEvent {
  const known = events.find(name);
  if (known !== undefined) return known;
  throw new HookwrightError("unknown_event", `${field}: ${unknownEventProblem(name, events.names)}`);
}
