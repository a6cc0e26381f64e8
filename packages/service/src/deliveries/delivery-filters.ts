import type { LogFilters } from "@hookwright/delivery";
import { validationFailed } from "@hookwright/domain";
import { parseTimeFilter } from "../lookups/parse-time-filter.ts";
import type { DeliveryFilters } from "../use-cases.ts";

/** @throws HookwrightError `validation_failed` if a time or a number is invalid */
export function parseDeliveryFilters(filters: DeliveryFilters): LogFilters {
  const { webhook_id, event, status, project_id, kind, error } = filters;
  return {
    webhook_id,
    event,
    status,
    project_id,
    kind,
    error: error ?? undefined,
    since: parseTimeFilter("since", filters.since),
    until: parseTimeFilter("until", filters.until),
    http_status: parseNumber("http_status", filters.http_status, { minimum: 100, maximum: 599 }),
    attempts_min: parseNumber("attempts_min", filters.attempts_min, { minimum: 1, maximum: 100 }),
  };
}

function parseNumber(
  name: string,
  text: string | undefined,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]*$/u.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text);
  throw validationFailed([`${name}: must be a whole number from ${minimum} to ${maximum}`]);
}
