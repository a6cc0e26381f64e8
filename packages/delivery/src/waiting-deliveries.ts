import { setImmediate as nextTurn } from "node:timers/promises";
import { partitions } from "@hookwright/storage";
import type { Entry, Key, Store } from "@hookwright/storage";
import { countEntries, listPages } from "@hookwright/storage/sorted-runs";
import { parseDeliveryRow, parseIfReadable } from "./storage/delivery-codec.ts";
import { parseWebhookRow, parseWebhookStatus } from "./storage/webhook-row.ts";
import type { DeliveryRow } from "./storage/delivery-row.ts";
import type { WebhookRow } from "./storage/webhook-row.ts";
import { isAccount, keys, readDueAt, readEndpointAddress } from "./storage/keys.ts";
import type { EndpointAddress } from "./storage/keys.ts";

/** What waits for one webhook: deliveries before their first attempt, and retries. */
export interface Waiting {
  /** Counted up to the limit of the query. */
  readonly count: number;
  /** When the first of them is due, in milliseconds. It may be in the future. Undefined: none waits, or its row is damaged. */
  readonly firstDueAt: number | undefined;
}

interface WaitingWebhook extends Waiting {
  readonly address: EndpointAddress;
}

/** Account, event and webhook: what the keys of a queue share. */
export const partsOfEndpoint = 3;

/** What waits for one webhook. Counts at most `limit`. */
export async function readWaiting(store: Store, address: EndpointAddress, limit: number): Promise<Waiting> {
  const queues = await Promise.all(
    [keys.newQueue(address), keys.retryQueue(address)].map(async (prefix) => {
      const [first] = await store.list({ prefix, limit: 1 });
      if (first === undefined) return nothing;
      return { count: await countEntries(store, { prefix, limit }), firstDueAt: readFirstDueAt(first) };
    }),
  );
  return queues.reduce((sum, queue) => add(sum, queue, limit), nothing);
}

/** Webhooks with many deliveries that were removed a moment ago. More of them make the answer shorter. */
const maximumRemoved = 100;

export interface MostWaiting extends Waiting {
  readonly accountId: string;
  readonly row: WebhookRow;
}

/**
 * The webhooks for which most deliveries wait, the largest count first. Of equal counts, the one that is due longest is first. Deliveries of
 * a webhook that was removed are about to be cancelled, and are omitted. It reads one entry of each queue and counts the rest, so its cost
 * depends on the number of webhooks.
 *
 * @param options.limit no queue is counted further
 * @param options.webhooks the number of webhooks that are returned
 */
export async function findMostWaiting(
  store: Store,
  options: { readonly partitions: readonly string[]; readonly limit: number; readonly webhooks: number },
): Promise<MostWaiting[]> {
  const { limit, webhooks } = options;
  let most: WaitingWebhook[] = [];
  for (const partition of options.partitions) {
    const found = new Map<string, WaitingWebhook>();
    for (const queues of [keys.newQueuesIn(partition), keys.retryQueuesIn(partition)]) {
      for await (const firsts of listPages(store, { prefix: queues, groupBy: partsOfEndpoint })) {
        const counts = await Promise.all(
          firsts.map(({ key: [, ...parts] }) => {
            const prefix: Key = [partition, ...parts.slice(0, queues.length - 1 + partsOfEndpoint)];
            return countEntries(store, { prefix, limit });
          }),
        );
        firsts.forEach((first, index) => {
          const address = readEndpointAddress(first.key);
          if (address === undefined || !isAccount(address.accountId)) return;
          const queue = { count: counts[index] ?? 0, firstDueAt: readFirstDueAt(first) };
          const { webhookId } = address;
          found.set(webhookId, { address, ...add(found.get(webhookId) ?? nothing, queue, limit) });
        });
      }
    }
    most = [...most, ...found.values()].toSorted(byWaiting).slice(0, webhooks + maximumRemoved);
  }
  const texts = await store.getMany(most.map(({ address }) => keys.webhook(address)));
  const existing = most.flatMap(({ address: { accountId }, ...waiting }, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ accountId, row: parseWebhookRow(text), ...waiting }];
  });
  return existing.slice(0, webhooks);
}

function byWaiting(one: Waiting, other: Waiting): number {
  const never = Number.MAX_SAFE_INTEGER;
  return other.count - one.count || (one.firstDueAt ?? never) - (other.firstDueAt ?? never);
}

/** Whether an account has a pending delivery. */
export async function hasPending(store: Store, accountId: string): Promise<boolean> {
  for (const prefix of [keys.newQueues(accountId), keys.retryQueues(accountId)])
    if ((await store.list({ prefix, limit: 1 })).length > 0) return true;
  return false;
}

/** Where the store has a delivery that waits. */
export interface WaitingPlace {
  readonly id: string;
  /** Undefined: it waits for its first attempt. */
  readonly dueAt: number | undefined;
}

/** A delivery that waits for an attempt. */
export interface WaitingDelivery extends WaitingPlace {
  readonly address: EndpointAddress;
  readonly delivery: DeliveryRow;
}

/**
 * A page of the deliveries of an account that wait: first the new ones, then the retries. Damaged ones are left out.
 *
 * @param after the `next` of the page before. @default the first page
 */
export async function listWaiting(
  store: Store,
  accountId: string,
  { after, limit }: { readonly after?: Key | undefined; readonly limit: number },
): Promise<{ readonly waiting: readonly WaitingDelivery[]; readonly next: Key | undefined }> {
  const [newQueues, retryQueues] = [keys.newQueues(accountId), keys.retryQueues(accountId)];
  // After the last page of the new ones, `next` is only the prefix of the retries.
  const prefix = after === undefined || after[1] === newQueues[1] ? newQueues : retryQueues;
  const entries = await store.list({
    prefix,
    limit,
    ...(after && after.length > prefix.length && { after }),
  });
  const isAtEnd = entries.length < limit;
  const rows = entries.map(({ key }) => keys.delivery(accountId, String(key.at(-1))));
  const texts = prefix === newQueues ? entries.map(({ value }) => value) : await store.getMany(rows);
  const waiting = entries.flatMap(({ key }, index): WaitingDelivery[] => {
    const address = readEndpointAddress(key);
    const delivery = parseIfReadable(texts[index]);
    if (address === undefined || delivery === undefined) return [];
    return [{ address, id: delivery.id, dueAt: prefix === newQueues ? undefined : readDueAt(key), delivery }];
  });
  if (!isAtEnd) return { waiting, next: entries.at(-1)?.key };
  return { waiting, next: prefix === newQueues ? retryQueues : undefined };
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
      for await (const firsts of listPages(store, { prefix, groupBy: partsOfEndpoint })) {
        const dueAt = Math.min(...firsts.map((first) => readFirstDueAt(first) ?? Number.POSITIVE_INFINITY));
        if (dueAt <= now) oldestDueAt = Math.min(oldestDueAt ?? dueAt, dueAt);
      }
      // A partition may have less than a page.
      await nextTurn();
    }
  }
  return { pending, oldestDueAt };
}

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
      for (const { key, value } of page) if (isAccount(key[2])) webhooks[parseWebhookStatus(value)] += 1;
    }
    await nextTurn();
  }
  return { newDeliveries, retries, webhooks };
}

const nothing: Waiting = { count: 0, firstDueAt: undefined };

function add(one: Waiting, other: Waiting, limit: number): Waiting {
  const dueAt = [one.firstDueAt, other.firstDueAt].filter((at) => at !== undefined);
  return {
    count: Math.min(limit, one.count + other.count),
    firstDueAt: dueAt.length === 0 ? undefined : Math.min(...dueAt),
  };
}

/** When the first entry of a queue is due, which is the one that is due first. `undefined`: its row is damaged. */
export function readFirstDueAt({ key, value }: Entry): number | undefined {
  const [, table] = key;
  if (table === "retry") return readDueAt(key);
  try {
    return parseDeliveryRow(value).created_at;
  } catch {
    // The attempt reports it.
    return undefined;
  }
}
