import { backoffMs } from "./failure-breaker.ts";
import type { DeliveryRules } from "./resources/account-delivery.ts";

/** How long an outage lasts until a webhook is switched off, in seconds. */
export interface SwitchOffTimes {
  /** For a webhook that always has due deliveries. */
  readonly busy: number;
  /** For a webhook with one delivery after the other. With longer gaps between its events it takes longer. */
  readonly quiet: number;
}

/** `undefined`: the rules never switch a webhook off. Attempts that time out add their own time. */
export function switchOffTimes({
  switch_off_after: limit,
  retry_delays_seconds: delays,
  endpoint_backoff_seconds: backoffSeconds,
}: DeliveryRules): SwitchOffTimes | undefined {
  if (limit === "off") return undefined;
  let [busy, quiet] = [0, 0];
  for (let failures = 1; failures < limit; failures += 1) {
    const pause = backoffMs(failures, backoffSeconds * 1_000, () => 0.5) / 1_000;
    busy += pause;
    // After its last attempt a delivery has no delay: the next delivery begins.
    quiet += Math.max(pause, delays[(failures - 1) % (delays.length + 1)] ?? 0);
  }
  return { busy, quiet };
}

/**
 * When a webhook is switched off, for people.
 *
 * @example "after 30 failed attempts in a row: about 30 minutes of failures if it is busy, about 2 h 36 min with one delivery after the other"
 */
export function describeSwitchOff(rules: DeliveryRules): string {
  const times = switchOffTimes(rules);
  if (times === undefined) return "never: failures only space its attempts";
  const [busy, quiet] = [formatLong(times.busy), formatLong(times.quiet)];
  return `after ${rules.switch_off_after} failed attempts in a row: ${busy} of failures if it is busy, ${quiet} with one delivery after the other`;
}

/**
 * A time in the unit in which people think of it.
 *
 * @example formatLong(1_825) // "about 30 minutes"
 */
export function formatLong(seconds: number): string {
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return `about ${count(seconds, "second")}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `about ${count(minutes, "minute")}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `about ${hours} h ${minutes % 60} min` : `about ${count(hours / 24, "day")}`;
}

function count(value: number, unit: string): string {
  const rounded = Math.round(value);
  return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}
