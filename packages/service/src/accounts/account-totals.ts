import { readLedgerTotals } from "@hookwright/delivery";
import type { LedgerCounts } from "@hookwright/delivery";
import type { LedgerOutcomes, OverviewPeriod } from "@hookwright/domain";
import { overviewPeriods } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";

const keptMs = 10_000;

/** What became of the events of each account that has any, and the outcomes of all of them. */
export interface AccountTotals {
  readonly byAccount: ReadonlyMap<string, LedgerOutcomes>;
  readonly all: LedgerOutcomes;
}
export type ReadAccountTotals = (period: OverviewPeriod) => Promise<AccountTotals>;

/** Reads a row for each account. Calls within 10 s get the same answer. */
export function createAccountTotals({
  store,
  now,
}: Pick<ServiceContext, "store" | "now">): ReadAccountTotals {
  const kept = new Map<OverviewPeriod, { readonly at: number; readonly totals: Promise<AccountTotals> }>();
  return (period) => {
    const known = kept.get(period);
    if (known !== undefined && Math.abs(now() - known.at) < keptMs) return known.totals;
    const { stepSeconds, steps } = overviewPeriods[period];
    const since = now() - stepSeconds * steps * 1_000;
    const reading = { at: now(), totals: readLedgerTotals(store, { partitions, since }).then(toTotals) };
    kept.set(period, reading);
    reading.totals.catch(() => {
      // The caller gets the error. The next call reads again.
      if (kept.get(period) === reading) kept.delete(period);
    });
    return reading.totals;
  };
}

function toTotals(counted: ReadonlyMap<string, LedgerCounts>): AccountTotals {
  const byAccount = new Map<string, LedgerOutcomes>();
  const all = { due: 0, delivered: 0, pending: 0, failed: 0, cancelled: 0, not_sent: 0 };
  for (const [id, { due, delivered, pending, failed, cancelled, notSent }] of counted) {
    byAccount.set(id, { due, delivered, pending, failed, cancelled, not_sent: notSent });
    all.due += due;
    all.delivered += delivered;
    all.pending += pending;
    all.failed += failed;
    all.cancelled += cancelled;
    all.not_sent += notSent;
  }
  return { byAccount, all };
}
