import { readLedger, readLedgerTotals, sumPoints, toLedgerOutcomes } from "@hookwright/delivery";
import type { LedgerOutcomes, OverviewPeriod } from "@hookwright/domain";
import { overviewPeriods } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { ServiceContext } from "../context.ts";
import { lastSteps } from "../overview/last-steps.ts";
import { keys } from "../rows/keys.ts";
import { parseLogSize } from "../rows/log-size-row.ts";
import { keepResult } from "../store/keep-result.ts";

const keptMs = 10_000;
export const periods = ["1h", "24h", "7d", "30d"] as const;

/** What became of the events of each account that has any. The first step may begin before the period. */
export type AccountTotals = ReadonlyMap<string, LedgerOutcomes>;
export type ReadAccountTotals = (period: OverviewPeriod) => Promise<AccountTotals>;

/** Reads a row for each account of these partitions, and what is not folded yet. */
export async function readAccountTotals(
  store: Store,
  asked: { readonly partitions: readonly string[]; readonly period: OverviewPeriod; readonly now: number },
): Promise<AccountTotals> {
  const range = lastSteps(overviewPeriods[asked.period], asked.now);
  const counted = await readLedgerTotals(store, { partitions: asked.partitions, ...range });
  return new Map(Array.from(counted, ([id, counts]) => [id, toLedgerOutcomes(counts)]));
}

/** The totals of all accounts. Calls within 10 s get the same answer. */
export function createAccountTotals({
  store,
  now,
}: Pick<ServiceContext, "store" | "now">): ReadAccountTotals {
  const reads = new Map(
    periods.map((period) => {
      const read = () => readAccountTotals(store, { partitions, period, now: now() });
      return [period, keepResult({ now, keptMs }, read)];
    }),
  );
  return async (period) => reads.get(period)?.() ?? new Map();
}

/** The sizes of the logs of all accounts in bytes, at their last sweeps. Calls within 10 s get the same answer. */
export function createLogSizes({
  store,
  now,
}: Pick<ServiceContext, "store" | "now">): () => Promise<ReadonlyMap<string, number>> {
  return keepResult({ now, keptMs }, async () => {
    const sizes = new Map<string, number>();
    for (const partition of partitions)
      for await (const page of listPages(store, { prefix: keys.logSizesIn(partition) }))
        for (const { key, value } of page) sizes.set(String(key.at(-1)), parseLogSize(value).bytes);
    return sizes;
  });
}

/** What became of the events of an account: the same numbers as in its overview. */
export async function readAccountOutcomes(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  period: OverviewPeriod,
): Promise<LedgerOutcomes> {
  const { all } = await readLedger(store, { accountId, ...lastSteps(overviewPeriods[period], now()) });
  return toLedgerOutcomes(sumPoints(all));
}

/** The sum of accounts. */
export function sumOutcomes(totals: AccountTotals): LedgerOutcomes {
  const sum = { due: 0, delivered: 0, pending: 0, failed: 0, cancelled: 0, not_sent: 0 };
  for (const counted of totals.values()) for (const name of outcomeNames) sum[name] += counted[name];
  return sum;
}

const outcomeNames = ["due", "delivered", "pending", "failed", "cancelled", "not_sent"] as const;
