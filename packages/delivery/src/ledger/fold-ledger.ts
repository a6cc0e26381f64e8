import { partitionOf } from "@hookwright/storage";
import type { Check, Entry, Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../storage/keys.ts";
import { addNamedSum, parseNamedSums, renderNamedSums } from "./named-sums.ts";
import type { NamedSums } from "./named-sums.ts";
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

/** A row of a step, and what a fold adds to it. */
interface Target {
  readonly key: Key;
  readonly expiresAt: number;
  readonly added: Entry[];
}

/** The texts of the rows that one fold replaces have fewer characters than this, unless a single sum needs more. */
const maximumCharacters = 4 * 1024 * 1024;
const targetsReadAtOnce = 64;

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
  const [totals] = await store.getMany([totalsKey]);
  const texts: (string | undefined)[] = [];
  let characters = 0;
  while (texts.length < targets.length) {
    const next = targets.slice(texts.length, texts.length + targetsReadAtOnce);
    const read = await store.getMany(next.map(({ key }) => key));
    texts.push(...read);
    for (const text of read) characters += text?.length ?? 0;
    if (characters > maximumCharacters && sums.length > 1)
      return foldLedger(store, { ...options, limit: Math.ceil(sums.length / 4) });
  }
  const checks: Check[] = sums.map(({ key, value }) => ({ key, value }));
  const mutations: Mutation[] = sums.map(({ key }) => ({ type: "delete", key }));
  targets.forEach(({ key, expiresAt, added }, index) => {
    const text = texts[index];
    const sumsOfEvents = readOrNothing(text, options);
    for (const sum of added) {
      const [event, field] = sum.key.slice(6);
      addNamedSum(sumsOfEvents, String(event), [String(field), Number(sum.value)]);
    }
    checks.push({ key, value: text });
    mutations.push({ type: "set", key, value: renderNamedSums(sumsOfEvents), expiresAt });
  });
  checks.push({ key: totalsKey, value: totals });
  const value = renderNamedSums(addToTotals(readOrNothing(totals, options), sums, now));
  mutations.push({ type: "set", key: totalsKey, value, expiresAt: openExpiryOf(now) });
  mutations.push({ type: "sum", key: keys.ledgerFolds(accountId), amount: 1, expiresAt: openExpiryOf(now) });
  const { ok } = await store.commit(partitionOf(accountId), { checks, mutations });
  if (!ok) return "conflict";
  return sums.length < limit ? "done" : "more";
}

function findTargets(accountId: string, sums: readonly Entry[], now: number): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const sum of sums) {
    const [minute, webhookId, projectId] = sum.key.slice(3);
    for (const step of ledgerSteps) {
      const at = startOf(Number(minute) * minuteMs, step.seconds);
      const expiresAt = expiryOf(at, step);
      if (expiresAt <= now) continue;
      const name = JSON.stringify([step.seconds, at, webhookId, projectId]);
      const place = { accountId, webhookId: String(webhookId), projectId: String(projectId) };
      const key = keys.ledgerRow(place, step.seconds, at / minuteMs);
      const target = targets.get(name) ?? { key, expiresAt, added: [] };
      target.added.push(sum);
      targets.set(name, target);
    }
  }
  return targets;
}

/** The sums of a row. A damaged one starts again. */
function readOrNothing(text: string | undefined, { accountId, onUnreadable }: FoldOptions): NamedSums {
  try {
    return text === undefined ? new Map() : parseNamedSums(text);
  } catch (cause) {
    onUnreadable(new Error(`a row of the ledger of account ${accountId} starts again at zero`, { cause }));
    return new Map();
  }
}
