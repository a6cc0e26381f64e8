import { listWebhooks, readWebhookHealth } from "@hookwright/delivery";
import { switchOffAfterFailures } from "@hookwright/domain";
import type { Subscription } from "./history.ts";
import type { Judged } from "./judged.ts";
import { recordedWithinMs } from "./log-breaches.ts";
import { accountIds } from "./operations.ts";
import type { Simulation } from "./simulation.ts";

/** True if all changes so far permit sending to the webhook. An unknown outcome counts as no. */
function isSurelyActive(simulation: Simulation, subscription: Subscription, until: number): boolean {
  const { accountId, webhookId, targetUrl } = subscription;
  const isStopped = simulation.history.changes.some(
    ({ of, allows, askedAt }) => (of === accountId || of === webhookId) && !allows && askedAt <= until,
  );
  return !isStopped && !hasEndedItself(simulation, targetUrl, until);
}

/** True if the endpoint responded with 410, or failed so often that the webhook may be switched off. */
function hasEndedItself({ endpoints }: Simulation, targetUrl: string, until: number): boolean {
  const failed = endpoints.arrivals.filter(
    (one) => one.targetUrl === targetUrl && one.sentAt <= until && !one.behaviour.startsWith("accepts"),
  );
  return failed.some(({ behaviour }) => behaviour === "gone") || failed.length >= switchOffAfterFailures;
}

/** Every publication must be delivered to every subscribed webhook. */
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

/** The latest time at which a result must be durable, after any sequence of disruptions. */
function recordedBy({ network }: Simulation, endedAt: number): number {
  let until = endedAt + recordedWithinMs;
  for (const { from, to } of network.disruptions.toSorted((one, other) => one.from - other.from))
    if (from <= until) until = Math.max(until, to + recordedWithinMs);
  return until;
}

/** A cancelled delivery needs a change that stopped it before. */
export function findUnfoundedCancels(simulation: Simulation, { accountId, row }: Judged): string[] {
  const until = recordedBy(simulation, row.completed_at ?? Number.POSITIVE_INFINITY);
  const stoppers = new Set([row.webhook_id, accountId, `${accountId}/${row.record_id}`]);
  const isStopped = simulation.history.changes.some(
    ({ of, allows, askedAt }) => !allows && stoppers.has(of) && askedAt <= until,
  );
  if (row.status !== "cancelled" || isStopped || hasEndedItself(simulation, row.target_url, until)) return [];
  return [`${row.id}: cancelled for no reason`];
}

/** A removed webhook, or one with thirty failures in a row, must get no more requests. */
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
    for (const { id, status } of await listWebhooks(store, accountId, { limit: 1_000 })) {
      const [health] = await readWebhookHealth(store, accountId, [id]);
      const failures = health?.consecutive_failures ?? 0;
      const isManaged = history.changes.some(({ of }) => of === id);
      if (failures >= switchOffAfterFailures && status === "active" && !isManaged)
        breaches.push(`${id}: active after ${failures} failures`);
    }
  }
  return breaches;
}
