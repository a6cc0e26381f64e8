import type { Entry, Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
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

const pageSize = 500;

/**
 * Counts the queued deliveries and the webhooks of some partitions. Other work runs between two pages.
 *
 * @param options.limit neither the queues nor the webhooks are counted further
 */
export async function countPartitions(
  store: Store,
  partitions: readonly string[],
  { limit }: { readonly limit: number },
): Promise<PartitionCounts> {
  const webhooks = { active: 0, paused: 0, switched_off: 0, disabled_by_host: 0 };
  const counts = { newDeliveries: 0, retries: 0, webhooks };
  for (const partition of partitions) {
    for await (const page of pages(keys.newQueuesIn(partition), () => counts.newDeliveries + counts.retries))
      counts.newDeliveries += page.length;
    for await (const page of pages(
      keys.retryQueuesIn(partition),
      () => counts.newDeliveries + counts.retries,
    ))
      counts.retries += page.length;
    const counted = (): number => Object.values(webhooks).reduce((sum, count) => sum + count, 0);
    for await (const page of pages(keys.webhooksIn(partition), counted))
      for (const { value } of page) webhooks[parseWebhookStatus(value)] += 1;
  }
  return counts;

  function pages(prefix: Key, counted: () => number): AsyncGenerator<readonly Entry[]> {
    return listPages(store, { prefix, pageSize, maximum: limit - counted() });
  }
}
