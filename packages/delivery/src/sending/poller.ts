import type { OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Entry, Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { Dispatcher } from "./dispatcher.ts";
import { parseWebhookRow } from "../storage/webhook-row.ts";
import { isOfNewQueue, isOfWorker, keys, readDueAt, readEndpointAddress } from "../storage/keys.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import type { Clock } from "../clock.ts";
import type { DueAges } from "./due-ages.ts";
import { applyWebhook, releaseEndpoint, restoreLimits } from "./endpoint.ts";
import { partsOfEndpoint, readFirstDueAt } from "../waiting-deliveries.ts";

export interface PollerOptions {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** Whether this worker delivers for a partition. */
  readonly holds: (partition: string) => boolean;
  readonly held: () => readonly string[];
  /** Time between two scans of a partition. */
  readonly scanMs: number;
  /** Learns from each scan how long deliveries have been due. */
  readonly dueAges: DueAges;
  readonly onError: OnError;
}

/** Finds endpoints that have deliveries in the store: through notifications, and by a scan of each partition. */
export function createPoller(options: PollerOptions) {
  const { store, dispatcher, clock, holds, held, scanMs, dueAges, onError } = options;
  /** Partitions that are scanned first: they were acquired, or a notification did not name a queue. */
  const next = new Set<string>();
  /** Partitions whose regular scan is due, or whose last scan failed. */
  const regular = new Set<string>();
  let scannedAt = clock.now();
  let scanning: Promise<void> | undefined;
  const reportedUnreadable = new Set<string>();
  let unwatch = (): void => {};

  function onNotification(notified: readonly Key[] | undefined): void {
    if (notified === undefined) {
      held().forEach(scanNext);
      return void scan();
    }
    for (const key of notified) {
      const [partition] = key;
      if (!isOfWorker(key) || !holds(partition)) continue;
      const address = readEndpointAddress(key);
      if (address === undefined) scanNext(partition);
      else if (isOfNewQueue(key)) markDirty(address, partition);
      else webhookChanged(address).catch((error: unknown) => report(error, partition));
    }
    if (next.size > 0) void scan();
    dispatcher.pump();
  }

  function report(error: unknown, partition: string): void {
    if (holds(partition)) onError(error, { partition, code: "queues_not_read" });
  }

  /** With the next scan, which begins within a second. */
  function scanNext(partition: string): void {
    next.add(partition);
  }

  function markDirty(address: EndpointAddress, partition: string): void {
    const endpoint = dispatcher.open(address, partition);
    endpoint.queue.markDirty();
    dispatcher.activate(endpoint);
  }

  /** Scans the partitions that are due, one after the other. A call during a scan shares it. */
  function scan(): Promise<void> {
    if (scanning === undefined && clock.now() - scannedAt >= scanMs) {
      scannedAt = clock.now();
      for (const partition of held()) regular.add(partition);
    }
    return (scanning ??= scanPartitions().finally(() => (scanning = undefined)));
  }

  async function scanPartitions(): Promise<void> {
    const failed: string[] = [];
    for (;;) {
      const [partition] = next.size > 0 ? next : regular;
      if (partition === undefined) break;
      next.delete(partition);
      regular.delete(partition);
      try {
        if (holds(partition)) await scanPartition(partition);
      } catch (error) {
        failed.push(partition);
        report(error, partition);
      }
    }
    // With the next rebalance. A notification of other partitions does not repeat them.
    for (const partition of failed) regular.add(partition);
  }

  /** Reads which endpoints of a partition have deliveries. */
  async function scanPartition(partition: string): Promise<void> {
    const ages = dueAges.startScan(partition);
    for await (const entries of groups(keys.newQueuesIn(partition))) {
      if (!holds(partition)) return;
      for (const entry of entries) {
        const address = readAddress(entry);
        if (address === undefined) continue;
        const endpoint = dispatcher.open(address, partition);
        endpoint.queue.onScan(String(entry.key.at(-1)));
        dispatcher.activate(endpoint);
        ages.see(readFirstDueAt(entry), endpoint);
      }
      dispatcher.pump();
    }
    for await (const entries of groups(keys.retryQueuesIn(partition))) {
      if (!holds(partition)) return;
      const found = entries.flatMap((entry) => {
        const address = readAddress(entry);
        const dueAt = readDueAt(entry.key);
        return address === undefined || dueAt === undefined
          ? []
          : [{ address, dueAt, aheadMs: Number(entry.value) }];
      });
      for (const { address, dueAt, aheadMs } of found) {
        const endpoint = dispatcher.open(address, partition);
        endpoint.queue.expectRetry(dueAt, aheadMs);
        dispatcher.activate(endpoint);
        ages.see(dueAt, endpoint);
      }
      await cancelRemoved(found.map(({ address }) => address));
      dispatcher.pump();
    }
    ages.end();
  }

  /** One page after the other of the first entry of each endpoint queue. */
  function groups(prefix: Key): AsyncGenerator<readonly Entry[]> {
    return listPages(store, { prefix, groupBy: partsOfEndpoint });
  }

  /** A later version may write other forms of keys. */
  function readAddress({ key }: Entry): EndpointAddress | undefined {
    const address = readEndpointAddress(key);
    const name = key.slice(0, 4).join("/");
    if (address === undefined && !reportedUnreadable.has(name)) {
      reportedUnreadable.add(name);
      onError(new Error(`the queue of ${key.join("/")} cannot be read by this version`), {
        partition: key[0],
        code: "queues_unreadable",
      });
    }
    return address;
  }

  /** Retries of a removed webhook are not due for minutes, and are cancelled now. */
  async function cancelRemoved(addresses: readonly EndpointAddress[]): Promise<void> {
    if (addresses.length === 0) return;
    const texts = await store.getMany(addresses.map((address) => keys.webhook(address)));
    addresses.forEach((address, index) => {
      if (texts[index] === undefined && holds(partitionOf(address.accountId))) expireAll(address);
    });
  }

  /** The webhook is removed. All its deliveries are due now, so that they are cancelled. */
  function expireAll(address: EndpointAddress): void {
    const endpoint = dispatcher.open(address, partitionOf(address.accountId));
    endpoint.texts = undefined;
    releaseEndpoint(endpoint);
    endpoint.queue.markDirty();
    endpoint.queue.expireRetries();
    dispatcher.activate(endpoint);
  }

  /**
   * A webhook was removed: cancels its pending deliveries. Or its row or its counters were changed: what waits for a retry or for a back-off
   * may not have to wait any more.
   */
  async function webhookChanged(address: EndpointAddress): Promise<void> {
    const { accountId, webhookId } = address;
    const [webhook, health] = await store.getMany([keys.webhook(address), keys.webhookHealth(address)]);
    if (!holds(partitionOf(accountId))) return;
    const endpoint = dispatcher.find(webhookId);
    if (webhook === undefined) expireAll(address);
    else if (endpoint !== undefined) {
      const row = parseWebhookRow(webhook);
      if (row.status === "active") {
        restoreLimits(endpoint, health, clock.now());
        applyWebhook(endpoint, row, clock.now());
      } else releaseEndpoint(endpoint);
      dispatcher.activate(endpoint);
    }
    dispatcher.pump();
  }

  return {
    start: (): void => void (unwatch = store.watch(onNotification)),
    scan,
    scanNext,
    webhookChanged,
    stop: (): void => unwatch(),
  };
}
