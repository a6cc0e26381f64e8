import { HookwrightError, unknownEventProblem, validationFailed } from "@hookwright/domain";
import type { EventRegistry, RegisteredEvent } from "@hookwright/domain";

/**
 * @param field names the input in the message
 * @throws HookwrightError `unknown_event`
 */
export function expectEvent(events: EventRegistry, name: string, field: string): RegisteredEvent {
  const known = events.find(name);
  if (known !== undefined) return known;
  throw new HookwrightError("unknown_event", `${field}: ${unknownEventProblem(name, events.names)}`);
}

/**
 * The events of a webhook in order, without repetition: names, or only `*` for every event.
 *
 * @throws HookwrightError `validation_failed` if `*` is not alone, `unknown_event`
 */
export function expectEvents(events: EventRegistry, names: readonly string[]): readonly string[] {
  const sorted = [...new Set(names)].toSorted();
  if (!sorted.includes("*")) names.forEach((name, index) => expectEvent(events, name, `events.${index}`));
  else if (sorted.length > 1) throw validationFailed(["events: `*` means every event, so it must be alone"]);
  return sorted;
}
