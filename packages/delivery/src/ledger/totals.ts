import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../storage/keys.ts";
import { addSum, toCounts } from "./counts.ts";
import type { LedgerCounts, Sums } from "./counts.ts";
import { fields, parseAttempt, toAttemptField } from "./fields.ts";
import { addNamedSum, sumReadable } from "./named-sums.ts";
import type { NamedSums } from "./named-sums.ts";
import { expiryOf, ledgerSteps, minuteMs, startOf } from "./steps.ts";

/** The steps of totals: for periods up to a day, and for longer ones. */
const totalSteps = [ledgerSteps[1], ledgerSteps[3]] as const;
/** The open sums of a partition that are read at most. There are more only if folds are late. */
const maximumOpen = 10_000;
const pageSize = 1_000;

/**
 * Adds sums that are folded to the totals of their account, by step and its first minute, and drops what is not kept any more. Totals
 * have no durations, so attempts are not told apart.
 */
export function addToTotals(totals: NamedSums, added: readonly Entry[], now: number): NamedSums {
  for (const { key, value } of added) {
    const field = toTotalField(String(key[7]));
    if (field === undefined) continue;
    for (const { seconds } of totalSteps) {
      const at = startOf(Number(key[3]) * minuteMs, seconds) / minuteMs;
      addNamedSum(totals, `${seconds} ${at}`, [field, Number(value)]);
    }
  }
  return new Map(
    [...totals].filter(([name]) => {
      const [seconds, minute] = name.split(" ").map(Number);
      const step = totalSteps.find((each) => each.seconds === seconds);
      return step !== undefined && expiryOf(Number(minute) * minuteMs, step) > now;
    }),
  );
}

/** Attempts of an outcome count for one duration. Those that are retried end nothing. */
function toTotalField(field: string): string | undefined {
  const attempt = parseAttempt(field);
  if (attempt === undefined) return field;
  const { outcome } = attempt;
  if (outcome === "pending") return undefined;
  return outcome === "cancelled" ? fields.cancelled : toAttemptField({ outcome, isRetry: false, bucket: 0 });
}

export interface TotalsQuery {
  readonly partitions: readonly string[];
  /** Milliseconds since the epoch. It is moved to the beginning of its step: of 15 minutes within two days, else of 6 hours. */
  readonly since: number;
  readonly now: number;
}

/**
 * What became of the events of all accounts that have any, by account, without durations. It reads one row for each account, and the
 * sums that are not folded yet, up to 10,000 of each partition. What is folded during the read may be counted twice.
 */
export async function readLedgerTotals(
  store: Store,
  { partitions, since, now }: TotalsQuery,
): Promise<ReadonlyMap<string, LedgerCounts>> {
  const { seconds } =
    totalSteps.find((step) => expiryOf(startOf(since, step.seconds), step) > now) ?? ledgerSteps[3];
  const first = startOf(since, seconds) / minuteMs;
  const found = new Map<string, Sums>();
  const add = (accountId: string, minute: number, field: string | undefined, amount: number): void => {
    if (minute < first || field === undefined) return;
    const sums: Sums = found.get(accountId) ?? new Map();
    addSum(sums, field, amount);
    found.set(accountId, sums);
  };
  const ofStep = `${seconds} `;
  const isInPeriod = (name: string): boolean =>
    name.startsWith(ofStep) && Number(name.slice(ofStep.length)) >= first;
  for (const partition of partitions) {
    const open = { prefix: keys.ledgerSumsIn(partition), maximum: maximumOpen, pageSize };
    for await (const page of listPages(store, open))
      for (const { key, value } of page)
        add(String(key[2]), Number(key[3]), toTotalField(String(key[7])), Number(value));
    for await (const page of listPages(store, { prefix: keys.ledgerTotalsIn(partition), pageSize }))
      for (const { key, value } of page)
        for (const [field, amount] of sumReadable(value, isInPeriod))
          add(String(key.at(-1)), first, field, amount);
    await nextTurn();
  }
  return new Map(
    Array.from(found, ([id, sums]) => [id, toCounts(sums)] as const).filter(([, { due }]) => due > 0),
  );
}
