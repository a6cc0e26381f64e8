import { setImmediate as nextTurn } from "node:timers/promises";
import { partitions } from "@hookwright/storage";
import type { Entry, Key, KeyPart, Store } from "@hookwright/storage";
import { countEntries, listPages } from "@hookwright/storage/sorted-runs";
import type { PagesOptions } from "@hookwright/storage/sorted-runs";
import { parseWebhookRow } from "./storage/codec.ts";
import type { WebhookRow } from "./storage/codec.ts";
import { keys } from "./storage/keys.ts";
import { partsOfEndpoint, readFirstDueAt } from "./waiting-deliveries.ts";

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
    for await (const { key, value } of readEntries(store, keys.webhooksIn(partition), { after: start }))
      yield { accountId: String(key[2]), row: parseWebhookRow(value), position: key };
  }
}

export interface QueueCount {
  /** Pending deliveries, counted up to a limit. */
  readonly pending: number;
  /** When the oldest delivery that is due became due, in milliseconds. Undefined: none is due. */
  readonly oldestDueAt: number | undefined;
}

/** Counts the pending deliveries of all accounts, and reads the first one of each queue. @param options.limit the count stops there */
export async function countQueues(
  store: Store,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<QueueCount> {
  let pending = 0;
  let oldestDueAt: number | undefined;
  for (const partition of partitions) {
    for (const prefix of [keys.newQueuesIn(partition), keys.retryQueuesIn(partition)]) {
      if (pending < limit) pending += await countEntries(store, { prefix, limit: limit - pending });
      for await (const entry of readEntries(store, prefix, { groupBy: partsOfEndpoint })) {
        const dueAt = readFirstDueAt(entry);
        if (dueAt !== undefined && dueAt <= now) oldestDueAt = Math.min(oldestDueAt ?? dueAt, dueAt);
      }
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

async function* readEntries(
  store: Store,
  prefix: Key,
  options: Pick<PagesOptions, "after" | "groupBy">,
): AsyncGenerator<Entry> {
  for await (const page of listPages(store, { prefix, ...options })) yield* page;
  // A partition may have less than a page.
  await nextTurn();
}
