import { keys, toWebhookRemoval } from "@hookwright/delivery";
import type { LaneAddress, WebhookRow } from "@hookwright/delivery";
import type { Check, Mutation, Store } from "@hookwright/storage";

export interface WebhookRemoval {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** Their pending deliveries are cancelled by the scheduler once it is woken. */
  readonly lanes: readonly LaneAddress[];
}

/**
 * The rows that take webhooks away; part of a larger commit. The guard is read before the webhooks are chosen, and checked also
 * where there are none: none can have come since.
 */
export async function removeWebhooks(
  store: Store,
  accountId: string,
  choose: () => Promise<readonly WebhookRow[]>,
): Promise<WebhookRemoval> {
  const guardKey = keys.webhookGuard(accountId);
  const guard = await store.get(guardKey);
  const webhooks = await choose();
  const lanes = webhooks.map(({ event, id }) => ({ accountId, event, webhookId: id }));
  return {
    checks: [{ key: guardKey, value: guard }],
    mutations: lanes.flatMap((lane) => toWebhookRemoval(lane, guard)),
    lanes,
  };
}
