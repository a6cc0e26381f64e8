import type { LogFilters } from "@hookwright/delivery";
import { attemptErrors, deliverySchema, validationFailed } from "@hookwright/domain";
import { parseChoiceFilter } from "../lookups/parse-choice-filter.ts";
import { parseTimeFilter } from "../lookups/parse-time-filter.ts";
import type { DeliveryFilters } from "../use-cases.ts";

const { status: statusSchema, kind: kindSchema } = deliverySchema.shape;

/** @throws HookwrightError `validation_failed` if a value is invalid. An unknown id or event matches nothing */
export function parseDeliveryFilters(filters: DeliveryFilters): LogFilters {
  const { webhook_id, event, project_id } = filters;
  return {
    webhook_id,
    event,
    status: parseChoiceFilter("status", filters.status, statusSchema.options),
    project_id,
    kind: parseChoiceFilter("kind", filters.kind, kindSchema.options),
    error: parseChoiceFilter("error", filters.error ?? undefined, attemptErrors),
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
