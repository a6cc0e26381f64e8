import { ledgerKeptMs, overviewPeriods, toLedgerRange } from "@hookwright/domain";
import type { Ledger, LedgerRange, WebhookHealth } from "@hookwright/domain";
import { toPath } from "../api/console-api.ts";
import type { Query } from "../api/console-api.ts";
import { readPeriod } from "./console-context.ts";
import { hrefTo } from "./route.ts";
import { useGet } from "./use-api.ts";
import type { Resource } from "./use-api.ts";
import { useRefresh } from "./use-live.ts";

/** What became of the events of a time. The numbers of all outcomes add up to `due`. */
export const outcomes = [
  { name: "delivered", title: "Delivered", style: "good" },
  { name: "pending", title: "Pending", style: "info" },
  { name: "failed", title: "Failed", style: "bad" },
  { name: "cancelled", title: "Cancelled", style: "idle" },
  { name: "not_sent", title: "Not sent", style: "missed" },
] as const;
export type Outcome = (typeof outcomes)[number]["name"];

/** The address of exactly the rows that a number counts. The site and the period of the present address stay. */
export function hrefToRows(outcome: Outcome, filters: Query = {}): string {
  return hrefTo(["deliveries"], { ...filters, project_id: "", outcome });
}

/** The time that an address names: `since` and `until`, else the period that ends now. Undefined: a time is not valid. */
export function readRange(
  { since, until, period }: Query,
  now: number = Date.now(),
): Omit<LedgerRange, "rows"> | undefined {
  const { stepSeconds, steps } = overviewPeriods[readPeriod(period)];
  const stepMs = stepSeconds * 1_000;
  const end = (Math.floor(now / stepMs) + 1) * stepMs;
  const lengthMs = steps * stepMs;
  if (!since && !until) return { since: end - lengthMs, until: end, stepSeconds };
  // The clock of this browser may be behind the server, whose time `since` is.
  const latest = since ? Math.max(now, Date.parse(since) + 1) : now;
  const to = until ? Date.parse(until) : latest;
  const from = since ? Date.parse(since) : to - lengthMs;
  return from < to ? toLedgerRange({ since: from, until: to }, latest) : undefined;
}

/** Replaces the period of a query by the times that the API expects. */
export function withTimes({ period, ...query }: Query): Query {
  const range = readRange({ ...query, period });
  if (range === undefined) return query;
  const { since, until } = range;
  return { ...query, since: toText(since), until: query["until"] ? toText(until) : undefined };
}

function toText(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

const flakyBelow = 0.95;

/** Whether events often need a retry, although nearly all are delivered. */
export function isFlaky({
  success_rate,
  first_try_rate,
}: Pick<WebhookHealth, "success_rate" | "first_try_rate">): boolean {
  return (first_try_rate ?? 1) < flakyBelow && (success_rate ?? 0) >= flakyBelow;
}

/** The filters of lists that the ledger knows too. */
const ledgerFilters = ["webhook_id", "event", "project_id", "since", "until", "period"] as const;
const counted: ReadonlySet<string> = new Set([...ledgerFilters, "outcome"]);

/** Whether the ledger counts exactly what a list with these filters shows. */
export function isInLedger(query: Query): boolean {
  return Object.entries(query).every(([name, value]) => !value || counted.has(name));
}

export interface LedgerOptions {
  /** Whether also the numbers of each webhook are wanted. */
  readonly byWebhook?: boolean;
}

/**
 * The numbers of all screens: what became of the events of a time. Its key has the period, not the times, so what is shown stays while
 * time passes.
 *
 * @param query filters as of a list. Undefined: there is nothing to load
 */
export function useLedger(
  query: Query | undefined,
  { byWebhook = false }: LedgerOptions = {},
): Resource<Ledger> {
  const range = query && readRange(query);
  const named = Object.fromEntries(ledgerFilters.map((name) => [name, query?.[name]]));
  return useGet<Ledger>(
    range && toPath("ledger"),
    {
      ...withTimes(named),
      step: String(range?.stepSeconds),
      by: byWebhook ? "webhook" : undefined,
    },
    JSON.stringify([named, byWebhook]),
  );
}

const countEveryMs = 5_000;

/** The numbers of a webhook since it stopped, and the filters of their rows. If that is unknown or too long ago: of the last 30 days. */
export function useLedgerSince(webhookId: string, since: string | null) {
  const isKept = since !== null && Date.parse(since) >= Date.now() - ledgerKeptMs;
  const filters: Query = { webhook_id: webhookId, ...(isKept ? { since } : { period: "30d" }) };
  const { data, refresh } = useLedger(filters);
  // The stream of changes does not tell of events that are not sent.
  useRefresh(refresh, countEveryMs);
  return { totals: data?.totals, filters };
}
