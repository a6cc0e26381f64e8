import { keys, toWebhookRemoval } from "@hookwright/delivery";
import type { LaneAddress, WebhookRow } from "@hookwright/delivery";
import type { Check, Mutation, Store } from "@hookwright/storage";

export interface WebhookRemoval {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** Their pending deliveries are cancelled by the scheduler once it is woken. */
  readonly lanes: readonly LaneAddress[];
}

/** The rows that take webhooks away; part of a larger commit. */
export async function removeWebhooks(
  store: Store,
  accountId: string,
  webhooks: readonly WebhookRow[],
): Promise<WebhookRemoval> {
  if (webhooks.length === 0) return { checks: [], mutations: [], lanes: [] };
  const guardKey = keys.webhookGuard(accountId);
  const guard = await store.get(guardKey);
  const lanes = webhooks.map(({ event, id }) => ({ accountId, event, webhookId: id }));
  return {
    checks: [{ key: guardKey, value: guard }],
    mutations: lanes.flatMap((lane) => toWebhookRemoval(lane, guard)),
    lanes,
  };
}
