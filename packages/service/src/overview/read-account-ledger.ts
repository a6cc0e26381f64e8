import { readLedger, sumPoints, toLedgerNumbers } from "@hookwright/delivery";
import type { LedgerPeriod } from "@hookwright/delivery";
import { countNotDelivered, ledgerKeptMs, toTimestamp, validationFailed } from "@hookwright/domain";
import type { Ledger, LedgerRangeQuery } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { expectKnownWebhook } from "../lookups/find-webhooks.ts";
import { parseChoiceFilter, parseTimeFilter } from "../lookups/parse-filters.ts";
import type { LedgerFilters } from "../use-cases.ts";

const dayMs = 86_400_000;
const longestStepSeconds = 86_400;

/**
 * The ledger of an account, or of a part of it. Without times it is that of the last 24 hours. The range is moved to whole steps, and
 * returned as it was used.
 *
 * @throws HookwrightError `validation_failed` if a filter is invalid or the site is not one of the account; `resource_not_found` if
 *   there is no such webhook, and none that was removed in the last 30 days
 */
export async function readAccountLedger(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  filters: LedgerFilters,
): Promise<Ledger> {
  const at = now();
  const range = parseRange(filters, at);
  const { webhook_id: webhookId, project_id: projectId, event } = filters;
  const byWebhook = parseChoiceFilter("by", filters.by, ["webhook"]) !== undefined;
  if (projectId !== undefined) await expectProject(store, accountId, projectId);
  if (webhookId !== undefined) await expectKnownWebhook(store, accountId, webhookId);
  const period = await readLedger(store, {
    accountId,
    webhookIds: webhookId === undefined ? undefined : [webhookId],
    projectId,
    event,
    byWebhook,
    ...range,
    now: at,
  });
  return { ...toLedger(period), ...(byWebhook && { webhooks: toWebhooks(period) }) };
}

/** The ledger as APIs return it. */
export function toLedger({ since, until, stepSeconds, all }: LedgerPeriod): Omit<Ledger, "webhooks"> {
  return {
    since: toTimestamp(since),
    until: toTimestamp(until),
    step_seconds: stepSeconds,
    totals: toLedgerNumbers(sumPoints(all)),
    series: all.map((point) => ({ at: toTimestamp(point.at), ...toLedgerNumbers(point.counts) })),
  };
}

function toWebhooks({ byWebhook }: LedgerPeriod): NonNullable<Ledger["webhooks"]> {
  return Array.from(byWebhook, ([webhook_id, points]) => ({
    webhook_id,
    ...toLedgerNumbers(sumPoints(points)),
  }))
    .filter(({ due }) => due > 0)
    .toSorted((one, other) => countNotDelivered(other) - countNotDelivered(one) || other.due - one.due);
}

function parseRange(filters: LedgerFilters, now: number): LedgerRangeQuery {
  const until = parseTimeFilter("until", filters.until) ?? now;
  const since = parseTimeFilter("since", filters.since) ?? until - dayMs;
  const problems = [
    ...(since > now ? ["since: must not be in the future"] : []),
    ...(since < now - ledgerKeptMs
      ? ["since: must be within the last 31 days, because older numbers are not kept"]
      : []),
    ...(until <= since ? ["until: must be later than since"] : []),
  ];
  if (problems.length > 0) throw validationFailed(problems);
  return { since, until, stepSeconds: parseStep(filters.step) };
}

function parseStep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^[1-9][0-9]{0,8}$/u.test(text) ? Number(text) : 0;
  if (seconds >= 60 && seconds <= longestStepSeconds && seconds % 60 === 0) return seconds;
  throw validationFailed([`step: must be whole minutes in seconds, from 60 to ${longestStepSeconds}`]);
}
