import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../storage/keys.ts";
import { addSum, toCounts } from "./counts.ts";
import type { LedgerCounts, Sums } from "./counts.ts";
import { expiryOf, ledgerSteps, minuteMs, startOf } from "./steps.ts";

/** The sums of an account, by the first minute of their longest step. They have no durations, so attempts are not told apart. */
type Totals = Record<string, Record<string, number>>;

const step = ledgerSteps[3];

/** Adds sums that are folded to the totals of their account, and drops what is not kept any more. */
export function addToTotals(text: string | undefined, added: readonly Entry[], now: number): string {
  const totals = new Map(Object.entries(parseTotals(text)));
  for (const { key, value } of added) {
    const [minute, field] = [Number(key[3]), toTotalField(String(key[7]))];
    if (field === undefined) continue;
    const at = String(startOf(minute * minuteMs, step.seconds) / minuteMs);
    const sums = totals.get(at) ?? {};
    totals.set(at, { ...sums, [field]: (sums[field] ?? 0) + Number(value) });
  }
  const kept = [...totals].filter(([at]) => expiryOf(Number(at) * minuteMs, step) > now);
  return JSON.stringify(Object.fromEntries(kept));
}

function parseTotals(text: string | undefined): Totals {
  return text === undefined ? {} : JSON.parse(text);
}

/** Attempts of an outcome count for one duration. Those that are retried end nothing. */
function toTotalField(field: string): string | undefined {
  const [, letter = ""] = /^([afcr])\d+$/iu.exec(field) ?? [];
  if (letter === "") return field;
  const outcome = letter.toLowerCase();
  return outcome === "r" ? undefined : outcome === "c" ? "c" : `${outcome}0`;
}

export interface TotalsQuery {
  readonly partitions: readonly string[];
  /** Milliseconds since the epoch. It is moved to the beginning of its step of 6 hours. */
  readonly since: number;
}

/**
 * What became of the events of all accounts that have any, by account. Only what is folded is counted: the last minutes of a busy account
 * are missing, and up to three hours of a quiet one. It reads one row for each account.
 */
export async function readLedgerTotals(
  store: Store,
  { partitions, since }: TotalsQuery,
): Promise<ReadonlyMap<string, LedgerCounts>> {
  const first = startOf(since, step.seconds) / minuteMs;
  const found = new Map<string, LedgerCounts>();
  for (const partition of partitions) {
    for await (const page of listPages(store, { prefix: keys.ledgerTotalsIn(partition) }))
      for (const { key, value } of page) {
        const sums: Sums = new Map();
        for (const [minute, fields] of Object.entries(parseTotals(value)))
          if (Number(minute) >= first)
            for (const [field, amount] of Object.entries(fields)) addSum(sums, field, amount);
        const counts = toCounts(sums);
        if (counts.due > 0) found.set(String(key.at(-1)), counts);
      }
    await nextTurn();
  }
  return found;
}
