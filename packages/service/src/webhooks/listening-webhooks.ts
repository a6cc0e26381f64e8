import { keys, parseWebhookRow } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import type { EventName } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { maximumWebhooks } from "./webhook-rows.ts";

/** Reads the webhooks of an account that subscribe to an event, whatever their state. */
export type ReadListeningWebhooks = (accountId: string, event: EventName) => Promise<readonly WebhookRow[]>;

/**
 * Publishes that ask in one round of microtasks share one read: a hundred events published together are about the same few
 * webhooks. Nobody can have been told of a change within that round, so what is read is as fresh as if each asked.
 */
export function createListeningWebhooks({ store }: { readonly store: Store }): ReadListeningWebhooks {
  /** By account, and then by event. */
  const asked = new Map<string, Map<EventName, Promise<readonly WebhookRow[]>>>();

  async function read(accountId: string, event: EventName): Promise<readonly WebhookRow[]> {
    const entries = await store.list({ prefix: keys.webhooks(accountId, event), limit: maximumWebhooks });
    return entries.map(({ value }) => parseWebhookRow(value));
  }

  return (accountId, event) => {
    if (asked.size === 0) queueMicrotask(() => asked.clear());
    const ofAccount = asked.get(accountId) ?? new Map<EventName, Promise<readonly WebhookRow[]>>();
    const shared = ofAccount.get(event);
    if (shared !== undefined) return shared;
    const reading = read(accountId, event);
    ofAccount.set(event, reading);
    asked.set(accountId, ofAccount);
    return reading;
  };
}
