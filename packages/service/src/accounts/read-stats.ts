import { setImmediate as nextTurn } from "node:timers/promises";
import { countQueues, readAllWebhooks } from "@hookwright/delivery";
import type { HostStats } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { sumOutcomes } from "./account-totals.ts";
import type { ReadAccountTotals } from "./account-totals.ts";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { keepResult } from "../store/keep-result.ts";

/** Pending deliveries are counted up to this number. */
const maximumPending = 100_000;
const keptMs = 5_000;

/** Counts accounts, webhooks by status, pending deliveries, and the events of the last 24 hours. Calls within 5 s get the same answer. */
export function createStats(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  readTotals: ReadAccountTotals,
): () => Promise<HostStats> {
  return keepResult({ now, keptMs }, () => readStats(store, now(), readTotals));
}

async function readStats(store: Store, now: number, readTotals: ReadAccountTotals): Promise<HostStats> {
  const webhooks = { active: 0, paused: 0, switched_off: 0, disabled_by_host: 0 };
  for await (const { row } of readAllWebhooks(store)) webhooks[row.status] += 1;
  const { pending, oldestDueAt } = await countQueues(store, { now, limit: maximumPending });
  return {
    accounts: await countAccounts(store),
    webhooks,
    deliveries: {
      pending,
      oldest_due_seconds:
        oldestDueAt === undefined ? null : Math.max(0, Math.floor((now - oldestDueAt) / 1_000)),
    },
    events: sumOutcomes(await readTotals("24h")),
  };
}

async function countAccounts(store: Store): Promise<number> {
  const [, table] = keys.account("");
  let count = 0;
  for (const partition of partitions) {
    const pages = listPages(store, { prefix: [partition, String(table)] });
    for await (const page of pages) count += page.length;
    await nextTurn();
  }
  return count;
}
