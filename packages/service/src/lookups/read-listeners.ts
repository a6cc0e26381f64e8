import { keys as webhookKeys, parseWebhookRow } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import type { EventName } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { maximumWebhooks } from "./find-webhooks.ts";

/** Who is told of an event. */
export interface Listeners {
  /** Undefined where there is no such account. */
  readonly accountText: string | undefined;
  /** Those that subscribe to the event, whatever their state. */
  readonly webhooks: readonly WebhookRow[];
}

export type ReadListeners = (accountId: string, event: EventName) => Promise<Listeners>;

/**
 * Publishes that ask in one round of microtasks share one read: a hundred events published together are of one account and
 * about the same few webhooks. Nobody can have been told of a change within that round, so what is read is as fresh as if each asked.
 */
export function createReadListeners({ store }: { readonly store: Store }): ReadListeners {
  /** By account, and then by event. */
  const asked = new Map<string, Map<EventName, Promise<Listeners>>>();

  async function read(accountId: string, event: EventName): Promise<Listeners> {
    const [accountText, entries] = await Promise.all([
      store.get(keys.account(accountId)),
      store.list({ prefix: webhookKeys.webhooks(accountId, event), limit: maximumWebhooks }),
    ]);
    return { accountText, webhooks: entries.map(({ value }) => parseWebhookRow(value)) };
  }

  return (accountId, event) => {
    if (asked.size === 0) queueMicrotask(() => asked.clear());
    const ofAccount = asked.get(accountId) ?? new Map<EventName, Promise<Listeners>>();
    const shared = ofAccount.get(event);
    if (shared !== undefined) return shared;
    const reading = read(accountId, event);
    ofAccount.set(event, reading);
    asked.set(accountId, ofAccount);
    return reading;
  };
}
