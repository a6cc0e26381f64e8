import { validateEvent as validateEventAt } from "@hookwright/domain";
import type { EventName, UncheckedEvent, ValidEvent } from "@hookwright/domain";

export interface ValidateEventOptions {
  /** IANA name of the site's time zone, for times that name none. @default "UTC" */
  readonly timeZone?: string | undefined;
  /** Milliseconds since the epoch: what `created_at` becomes where it is left out. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * What `publish` would make of an event, without an instance and without asking whether the site exists.
 *
 * @throws HookwrightError `validation_failed`, naming every field that is refused; `unknown_event`
 * @example
 * const { adjusted } = validateEvent({ event: "order.paid", project_id: "site_1", data: { id: 17, total: "9.00" } });
 * console.log(adjusted.includes("total")); // true: text became a number
 */
export function validateEvent<Name extends EventName>(
  input: UncheckedEvent<Name>,
  options?: ValidateEventOptions,
): ValidEvent<Name>;
export function validateEvent(input: unknown, options?: ValidateEventOptions): ValidEvent;
export function validateEvent(
  input: unknown,
  { timeZone, now = Date.now }: ValidateEventOptions = {},
): ValidEvent {
  return validateEventAt(input, { now: now(), timeZone });
}
