import { setImmediate as nextTurn } from "node:timers/promises";
import { partitions } from "@hookwright/storage";
import type { Entry, Key, KeyPart, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { parseDeliveryRow, parseWebhookRow } from "./storage/codec.ts";
import type { WebhookRow } from "./storage/codec.ts";
import { keys, readDueAt } from "./storage/keys.ts";

export interface WebhookOfAccount {
  readonly accountId: string;
  readonly row: WebhookRow;
  /** Where it is in the order of all webhooks. */
  readonly position: readonly KeyPart[];
}

/** The webhooks of all accounts. It reads as many as the caller takes, in pages. @param after a position */
export async function* readAllWebhooks(
  store: Store,
  after?: readonly KeyPart[],
): AsyncGenerator<WebhookOfAccount> {
  const [from] = after ?? [];
  for (const partition of partitions) {
    if (typeof from === "string" && partition < from) continue;
    const start: Key | undefined = partition === from ? [partition, ...(after ?? []).slice(1)] : undefined;
    for await (const { key, value } of readEntries(store, keys.webhooksIn(partition), start))
      yield { accountId: String(key[2]), row: parseWebhookRow(value), position: key };
  }
}

export interface QueueCount {
  /** Pending deliveries, counted up to a limit. */
  readonly pending: number;
  /** When the oldest delivery that is due became due, in milliseconds. Undefined: none is due. */
  readonly oldestDueAt: number | undefined;
}

/** Counts the pending deliveries of all accounts. @param options.limit the count stops there */
export async function countQueues(
  store: Store,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<QueueCount> {
  let pending = 0;
  let oldestDueAt: number | undefined;
  const see = (dueAt: number | undefined): void => {
    pending += 1;
    if (dueAt !== undefined && dueAt <= now) oldestDueAt = Math.min(oldestDueAt ?? dueAt, dueAt);
  };
  for (const partition of partitions) {
    for await (const { value } of readEntries(store, keys.newQueuesIn(partition))) {
      if (pending >= limit) return { pending, oldestDueAt };
      see(parseDeliveryRow(value).created_at);
    }
    for await (const { key } of readEntries(store, keys.retryQueuesIn(partition))) {
      if (pending >= limit) return { pending, oldestDueAt };
      see(readDueAt(key));
    }
  }
  return { pending, oldestDueAt };
}

/** Whether an account has a pending delivery. */
export async function hasPending(store: Store, accountId: string): Promise<boolean> {
  const found = await Promise.all(
    [keys.newQueues(accountId), keys.retryQueues(accountId)].map((prefix) =>
      store.list({ prefix, limit: 1 }),
    ),
  );
  return found.some((entries) => entries.length > 0);
}

async function* readEntries(store: Store, prefix: Key, after?: Key): AsyncGenerator<Entry> {
  for await (const page of listPages(store, { prefix, after })) yield* page;
  // A partition may have less than a page.
  await nextTurn();
}
