import { validateEvent as validateEventAt } from "@hookwright/domain";
import type { EventName, UncheckedEvent, ValidEvent } from "@hookwright/domain";

export interface ValidateEventOptions {
  /** IANA name of the site's time zone, for times without an offset. @default "UTC" */
  readonly timeZone?: string | undefined;
  /** Milliseconds since the epoch: the value of a missing `created_at`. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns the event as `publish` would store it. It needs no instance and does not check whether the site exists.
 *
 * @throws HookwrightError `validation_failed`, which names every invalid field, or `unknown_event`
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
