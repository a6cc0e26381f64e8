import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "@hookwright/storage";
import { countEntries, listPages } from "@hookwright/storage/sorted-runs";
import type { WebhookRow } from "./storage/codec.ts";
import { parseWebhookStatus } from "./storage/codec.ts";
import { keys } from "./storage/keys.ts";

export interface PartitionCounts {
  /** Deliveries that wait for their first attempt. */
  readonly newDeliveries: number;
  /** Deliveries that wait for their next attempt. */
  readonly retries: number;
  readonly webhooks: Readonly<Record<WebhookRow["status"], number>>;
}

/**
 * Counts the queued deliveries and the webhooks of some partitions. Other work runs between two partitions.
 *
 * @param options.limit neither the queues nor the webhooks are counted further
 */
export async function countPartitions(
  store: Store,
  partitions: readonly string[],
  { limit }: { readonly limit: number },
): Promise<PartitionCounts> {
  const webhooks = { active: 0, paused: 0, switched_off: 0, disabled_by_host: 0 };
  let [newDeliveries, retries, counted] = [0, 0, 0];
  for (const partition of partitions) {
    const left = (): number => limit - newDeliveries - retries;
    if (left() > 0)
      newDeliveries += await countEntries(store, { prefix: keys.newQueuesIn(partition), limit: left() });
    if (left() > 0)
      retries += await countEntries(store, { prefix: keys.retryQueuesIn(partition), limit: left() });
    const rows = { prefix: keys.webhooksIn(partition), pageSize: 500, maximum: limit - counted };
    for await (const page of listPages(store, rows)) {
      counted += page.length;
      for (const { value } of page) webhooks[parseWebhookStatus(value)] += 1;
    }
    await nextTurn();
  }
  return { newDeliveries, retries, webhooks };
}
