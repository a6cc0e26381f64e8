import { partitionOf } from "@hookwright/storage";
import type { Check, Entry, Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../storage/keys.ts";
import { addSum } from "./counts.ts";
import type { Sums } from "./counts.ts";
import { parseCells } from "./read-ledger.ts";
import type { Cells } from "./read-ledger.ts";
import { addToTotals } from "./totals.ts";
import { expiryOf, ledgerSteps, minuteMs, openExpiryOf, startOf } from "./steps.ts";

export interface FoldOptions {
  readonly accountId: string;
  /** Folds the sums of earlier minutes, in milliseconds. */
  readonly before: number;
  readonly now: number;
  /** Sums that are folded at most. */
  readonly limit: number;
  /** A row of a step could not be read. It starts again at zero. */
  readonly onUnreadable: (error: Error) => void;
}

/** `more`: others may be left. `conflict`: nothing is folded, because a result was counted, or another worker folded, meanwhile. */
export type Folded = "more" | "done" | "conflict";

/** A row of a step, and what a fold adds to its cells. */
interface Target {
  readonly key: Key;
  readonly expiresAt: number;
  readonly added: Entry[];
}

/**
 * Moves sums of an account into the rows of the steps, in one commit. The commit checks each of these rows, so folds of several workers
 * count nothing twice. A later result of the same minute makes a sum again, which a later fold moves.
 */
export async function foldLedger(store: Store, options: FoldOptions): Promise<Folded> {
  const { accountId, before, now, limit } = options;
  const prefix = keys.ledgerSums(accountId);
  const end: Key = [...prefix, startOf(before, 60) / minuteMs];
  const sums = await store.list({ prefix, before: end, limit });
  if (sums.length === 0) return "done";
  const targets = [...findTargets(accountId, sums, now).values()];
  const totalsKey = keys.ledgerTotals(accountId);
  const [totals, ...texts] = await store.getMany([totalsKey, ...targets.map(({ key }) => key)]);
  const checks: Check[] = sums.map(({ key, value }) => ({ key, value }));
  const mutations: Mutation[] = sums.map(({ key }) => ({ type: "delete", key }));
  targets.forEach(({ key, expiresAt, added }, index) => {
    const text = texts[index];
    checks.push({ key, value: text });
    mutations.push({ type: "set", key, value: addToCells(readCells(text, options), added), expiresAt });
  });
  checks.push({ key: totalsKey, value: totals });
  const value = addToTotals(readOrNothing(totals, options), sums, now);
  mutations.push({ type: "set", key: totalsKey, value, expiresAt: openExpiryOf(now) });
  mutations.push({ type: "sum", key: keys.ledgerFolds(accountId), amount: 1, expiresAt: openExpiryOf(now) });
  const { ok } = await store.commit(partitionOf(accountId), { checks, mutations });
  if (!ok) return "conflict";
  return sums.length < limit ? "done" : "more";
}

function findTargets(accountId: string, sums: readonly Entry[], now: number): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const sum of sums) {
    const [minute, webhookId] = sum.key.slice(3);
    for (const step of ledgerSteps) {
      const at = startOf(Number(minute) * minuteMs, step.seconds);
      const expiresAt = expiryOf(at, step);
      if (expiresAt <= now) continue;
      const name = `${step.seconds} ${at} ${webhookId}`;
      const key = keys.ledgerRow(accountId, step.seconds, String(webhookId), at / minuteMs);
      const target = targets.get(name) ?? { key, expiresAt, added: [] };
      target.added.push(sum);
      targets.set(name, target);
    }
  }
  return targets;
}

function readCells(text: string | undefined, options: FoldOptions): Cells {
  const readable = readOrNothing(text, options);
  return readable === undefined ? [] : parseCells(readable);
}

/** The text of a row, unless it is damaged. */
function readOrNothing(
  text: string | undefined,
  { accountId, onUnreadable }: FoldOptions,
): string | undefined {
  try {
    if (text !== undefined) JSON.parse(text);
    return text;
  } catch (cause) {
    onUnreadable(new Error(`a row of the ledger of account ${accountId} starts again at zero`, { cause }));
    return undefined;
  }
}

function addToCells(before: Cells, added: readonly Entry[]): string {
  const cells = new Map<string, { readonly site: string; readonly event: string; readonly sums: Sums }>();
  const add = (site: string, event: string, field: string, amount: number): void => {
    const name = JSON.stringify([site, event]);
    const cell = cells.get(name) ?? { site, event, sums: new Map<string, number>() };
    addSum(cell.sums, field, amount);
    cells.set(name, cell);
  };
  for (const [site, event, sums] of before)
    for (const [field, amount] of Object.entries(sums)) add(site, event, field, amount);
  for (const { key, value } of added) {
    const [site, event, field] = key.slice(5).map(String);
    if (site !== undefined && event !== undefined && field !== undefined)
      add(site, event, field, Number(value));
  }
  const rendered: Cells = Array.from(cells.values(), ({ site, event, sums }) => [
    site,
    event,
    Object.fromEntries(sums),
  ]);
  return JSON.stringify(rendered);
}
