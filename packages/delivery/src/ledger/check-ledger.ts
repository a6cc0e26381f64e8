import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { parseDeliveryRow } from "../storage/delivery-codec.ts";
import { outcomeOf } from "../storage/delivery-row.ts";
import { keys } from "../storage/keys.ts";
import { readLedger } from "./read-ledger.ts";
import { minuteMs, startOf } from "./steps.ts";

/** A stretch of time for which the ledger has more pending events than there are. */
export interface LedgerDamage {
  /** Its beginning, in milliseconds. */
  readonly at: number;
  readonly pending: number;
  readonly found: number;
}

/** The clock of another process may be behind. */
const behindMs = 2 * minuteMs;
const periods = [
  { stepSeconds: 60, minutes: 119 },
  { stepSeconds: 21_600, minutes: 30 * 24 * 60 },
];

/**
 * Compares the pending events of the ledger with the pending deliveries. Workers may use the store meanwhile. So it reads the deliveries
 * first, and compares only stretches that are over: what is pending in the ledger later was pending before. More deliveries than the
 * ledger has are no damage, because an earlier version did not count what it queued.
 */
export async function checkLedger(store: Store, accountId: string, now: number): Promise<LedgerDamage[]> {
  const times = await listPendingTimes(store, accountId);
  const damage: LedgerDamage[] = [];
  for (const { stepSeconds, minutes } of periods) {
    const query = { accountId, since: now - minutes * minuteMs, until: now - behindMs, stepSeconds, now };
    const { all } = await readLedger(store, query);
    for (const { at, counts } of all) {
      const end = at + stepSeconds * 1_000;
      const found = times.filter((time) => startOf(time, stepSeconds) === at).length;
      if (end <= now - behindMs && counts.pending > found)
        damage.push({ at, pending: counts.pending, found });
    }
  }
  return damage;
}

/** When the events were published whose delivery is pending. New ones first: those that are attempted meanwhile are found as retries. */
async function listPendingTimes(store: Store, accountId: string): Promise<number[]> {
  const times: number[] = [];
  const add = (text: string | undefined): void => {
    const row = text === undefined ? undefined : parseDeliveryRow(text);
    if (row !== undefined && outcomeOf(row) === "pending") times.push(row.created_at);
  };
  for await (const page of listPages(store, { prefix: keys.newQueues(accountId) }))
    for (const { value } of page) add(value);
  for await (const page of listPages(store, { prefix: keys.retryQueues(accountId) }))
    for (const text of await store.getMany(
      page.map(({ key }) => keys.delivery(accountId, String(key.at(-1)))),
    ))
      add(text);
  return times;
}
