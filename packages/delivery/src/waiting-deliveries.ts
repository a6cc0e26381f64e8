import type { Entry, Key, Store } from "@hookwright/storage";
import { countEntries, findRuns, listPages } from "@hookwright/storage/sorted-runs";
import { parseDeliveryRow, parseWebhookRow } from "./storage/codec.ts";
import type { WebhookRow } from "./storage/codec.ts";
import { keys, readDueAt, readEndpointAddress } from "./storage/keys.ts";
import type { EndpointAddress } from "./storage/keys.ts";

/** What waits for one webhook: deliveries before their first attempt, and retries. */
export interface Waiting {
  /** Counted up to the limit of the query. */
  readonly count: number;
  /** When the first of them is due, in milliseconds. It may be in the future. Undefined: none waits, or its row is damaged. */
  readonly firstDueAt: number | undefined;
}

export interface WaitingWebhook extends Waiting {
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

/**
 * The webhooks for which something waits, partition by partition. It reads one entry of each queue and counts the rest, so its cost depends
 * on the number of webhooks.
 *
 * @param options.limit no queue is counted further
 */
export async function* readAllWaiting(
  store: Store,
  { partitions, limit }: { readonly partitions: readonly string[]; readonly limit: number },
): AsyncGenerator<WaitingWebhook> {
  for (const partition of partitions) {
    const found = new Map<string, WaitingWebhook>();
    for (const queues of [keys.newQueuesIn(partition), keys.retryQueuesIn(partition)]) {
      for await (const firsts of listPages(store, { prefix: queues, groupBy: partsOfEndpoint })) {
        const counts = await Promise.all(
          firsts.map(({ key }) =>
            countEntries(store, { prefix: firstParts(key, queues.length + partsOfEndpoint), limit }),
          ),
        );
        firsts.forEach((first, index) => {
          const address = readEndpointAddress(first.key);
          if (address === undefined) return;
          const queue = { count: counts[index] ?? 0, firstDueAt: readFirstDueAt(first) };
          const { webhookId } = address;
          found.set(webhookId, { address, ...add(found.get(webhookId) ?? nothing, queue, limit) });
        });
      }
    }
    yield* found.values();
  }
}

/** Webhooks with many deliveries that were removed a moment ago. More of them make the answer shorter. */
const maximumRemoved = 100;

export interface MostWaiting extends Waiting {
  readonly accountId: string;
  readonly row: WebhookRow;
}

/**
 * The webhooks for which most deliveries wait, the largest count first. Of equal counts, the one that is due longest is first. Deliveries of
 * a webhook that was removed are about to be cancelled, and are omitted.
 *
 * @param options.limit no queue is counted further
 * @param options.webhooks the number of webhooks that are returned
 */
export async function findMostWaiting(
  store: Store,
  options: { readonly partitions: readonly string[]; readonly limit: number; readonly webhooks: number },
): Promise<MostWaiting[]> {
  const kept = options.webhooks + maximumRemoved;
  let most: WaitingWebhook[] = [];
  for await (const webhook of readAllWaiting(store, options)) {
    most.push(webhook);
    if (most.length >= 2 * kept) most = most.toSorted(byWaiting).slice(0, kept);
  }
  most = most.toSorted(byWaiting).slice(0, kept);
  const texts = await store.getMany(most.map(({ address }) => keys.webhook(address)));
  const found = most.flatMap(({ address: { accountId }, ...waiting }, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ accountId, row: parseWebhookRow(text), ...waiting }];
  });
  return found.slice(0, options.webhooks);
}

function byWaiting(one: Waiting, other: Waiting): number {
  const never = Number.MAX_SAFE_INTEGER;
  return other.count - one.count || (one.firstDueAt ?? never) - (other.firstDueAt ?? never);
}

/** Counts the pending deliveries of an account or of some webhooks, at most `limit`. */
export async function countPendingOf(
  store: Store,
  accountId: string,
  { webhookIds, limit }: { readonly webhookIds?: readonly string[] | undefined; readonly limit: number },
): Promise<number> {
  let count = 0;
  for (const queues of [keys.newQueues(accountId), keys.retryQueues(accountId)]) {
    const runs = webhookIds?.map((webhookId) => findRuns(store, queues, [undefined, webhookId]));
    const prefixes = runs === undefined ? [queues] : (await Promise.all(runs)).flat();
    for (const prefix of prefixes)
      if (count < limit) count += await countEntries(store, { prefix, limit: limit - count });
  }
  return count;
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

function firstParts([partition, ...parts]: Key, count: number): Key {
  return [partition, ...parts.slice(0, count - 1)];
}
