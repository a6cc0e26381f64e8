import { HookwrightError, isEventName, unknownEventProblem } from "@hookwright/domain";

/** Checks an event name, for tests without types. */
export function expectEvent(event: string): void {
  if (isEventName(event)) return;
  throw new HookwrightError("unknown_event", `event: ${unknownEventProblem(event)}`);
}
