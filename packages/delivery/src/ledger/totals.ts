import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../storage/keys.ts";
import { addSum, toCounts } from "./counts.ts";
import type { LedgerCounts, Sums } from "./counts.ts";
import { addNamedSum, parseReadableSums } from "./named-sums.ts";
import type { NamedSums } from "./named-sums.ts";
import { expiryOf, ledgerSteps, minuteMs, startOf } from "./steps.ts";

const step = ledgerSteps[3];

/**
 * Adds sums that are folded to the totals of their account, by the first minute of their longest step, and drops what is not kept any
 * more. Totals have no durations, so attempts are not told apart.
 */
export function addToTotals(totals: NamedSums, added: readonly Entry[], now: number): NamedSums {
  for (const { key, value } of added) {
    const [minute, field] = [Number(key[3]), toTotalField(String(key[7]))];
    const at = startOf(minute * minuteMs, step.seconds) / minuteMs;
    if (field !== undefined) addNamedSum(totals, String(at), [field, Number(value)]);
  }
  return new Map([...totals].filter(([at]) => expiryOf(Number(at) * minuteMs, step) > now));
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
 * What became of the events of all accounts that have any, by account. Only what is folded is counted: up to three
 * hours are missing. It reads one row for each account.
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
        for (const [minute, fields] of parseReadableSums(value))
          if (Number(minute) >= first) for (const [field, amount] of fields) addSum(sums, field, amount);
        const counts = toCounts(sums);
        if (counts.due > 0) found.set(String(key.at(-1)), counts);
      }
    await nextTurn();
  }
  return found;
}
