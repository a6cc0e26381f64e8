import { keys, parseWebhookHealth, parseWebhookRow } from "@hookwright/delivery";
import { switchOffAfterFailures } from "@hookwright/domain";
import type { Subscription } from "./history.ts";
import type { Judged } from "./judged.ts";
import { recordedWithinMs } from "./log-breaches.ts";
import { accountIds } from "./operations.ts";
import type { Simulation } from "./simulation.ts";

/** Whether everything that was asked for lets a webhook be sent to until then: that nobody knows counts as no. */
function isSurelyActive(simulation: Simulation, subscription: Subscription, until: number): boolean {
  const { accountId, webhookId, targetUrl } = subscription;
  const isStopped = simulation.history.changes.some(
    ({ of, allows, askedAt }) => (of === accountId || of === webhookId) && !allows && askedAt <= until,
  );
  return !isStopped && !hasEndedItself(simulation, targetUrl, until);
}

/** It answered that it is gone, or has failed so often that it may be switched off. */
function hasEndedItself({ endpoints }: Simulation, targetUrl: string, until: number): boolean {
  const failed = endpoints.arrivals.filter(
    (one) => one.targetUrl === targetUrl && one.sentAt <= until && !one.behaviour.startsWith("accepts"),
  );
  return failed.some(({ behaviour }) => behaviour === "gone") || failed.length >= switchOffAfterFailures;
}

/** What is published is delivered to every webhook that listens. */
export function findMissing(simulation: Simulation, all: readonly Judged[]): string[] {
  const { publications, subscriptions } = simulation.history;
  const webhookOf = new Map(all.map(({ row }) => [row.id, row.webhook_id]));
  return publications
    .filter(({ duplicate }) => duplicate === false)
    .flatMap(({ accountId, event, version, askedAt, doneAt = askedAt, deliveries }) => {
      const listeners = new Set(deliveries.map((id) => webhookOf.get(id)));
      return subscriptions
        .filter((one) => one.accountId === accountId && one.event === event)
        .filter((one) => one.doneAt !== undefined && one.doneAt < askedAt)
        .filter((one) => isSurelyActive(simulation, one, doneAt) && !listeners.has(one.webhookId))
        .map(({ webhookId }) => `publication ${version}: nothing for ${webhookId}`);
    });
}

/** What ended then is durable by this time, however many disruptions followed each other. */
function recordedBy({ network }: Simulation, endedAt: number): number {
  let until = endedAt + recordedWithinMs;
  for (const { from, to } of network.disruptions.toSorted((one, other) => one.from - other.from))
    if (from <= until) until = Math.max(until, to + recordedWithinMs);
  return until;
}

/** What is cancelled was stopped by somebody, before that was recorded. */
export function findUnfoundedCancels(simulation: Simulation, { accountId, row }: Judged): string[] {
  const until = recordedBy(simulation, row.completed_at ?? Number.POSITIVE_INFINITY);
  const stoppers = new Set([row.webhook_id, accountId, `${accountId}/${row.record_id}`]);
  const isStopped = simulation.history.changes.some(
    ({ of, allows, askedAt }) => !allows && stoppers.has(of) && askedAt <= until,
  );
  if (row.status !== "cancelled" || isStopped || hasEndedItself(simulation, row.target_url, until)) return [];
  return [`${row.id}: cancelled for no reason`];
}

/** A webhook that is gone, or has failed thirty times in a row, is left alone. */
export async function findWrongEnds(
  { store, network, history }: Simulation,
  all: readonly Judged[],
): Promise<string[]> {
  const breaches: string[] = [];
  for (const { row, arrivals } of all) {
    const gone = arrivals.find(
      ({ behaviour, answeredAt }) => behaviour === "gone" && answeredAt !== undefined,
    );
    if (gone?.answeredAt === undefined || network.disruptions.length > 0) continue;
    const removedAt = gone.answeredAt + recordedWithinMs;
    const later = all
      .filter((one) => one.row.webhook_id === row.webhook_id)
      .flatMap((one) => one.arrivals.filter(({ sentAt }) => sentAt > removedAt));
    breaches.push(
      ...later.map(({ deliveryId }) => `${deliveryId}: sent to ${row.webhook_id}, which is gone`),
    );
  }
  for (const accountId of accountIds) {
    for (const { key, value } of await store.list({ prefix: keys.webhooks(accountId), limit: 1_000 })) {
      const { id, status } = parseWebhookRow(value);
      const { consecutive_failures: failures } = parseWebhookHealth(
        await store.get(keys.webhookHealth(accountId, id)),
      );
      const isManaged = history.changes.some(({ of }) => of === id);
      if (failures >= switchOffAfterFailures && status === "active" && !isManaged)
        breaches.push(`${key.join("/")}: active after ${failures} failures`);
    }
  }
  return breaches;
}
