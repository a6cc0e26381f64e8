import { HookwrightError, isEventName, unknownEventProblem } from "@hookwright/domain";

/** For tests without types. @throws HookwrightError `unknown_event` */
export function expectEvent(event: string): void {
  if (isEventName(event)) return;
  throw new HookwrightError("unknown_event", `event: ${unknownEventProblem(event)}`);
}
