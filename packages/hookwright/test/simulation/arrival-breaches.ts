import { verifySync } from "@hookwright/signature/node";
import type { Arrival } from "./endpoints.ts";
import type { Judged } from "./judged.ts";
import type { Simulation } from "./simulation.ts";

/** A request that started before a change may arrive this long after it. */
const underWayMs = 300;

/** Checks that each request has current data and a valid signature, and goes only to permitted endpoints. */
export function findWrongArrival(simulation: Simulation, judged: Judged, arrival: Arrival): string[] {
  const { network, history } = simulation;
  const { changes, publications, subscriptions, secrets, untold } = history;
  const { accountId, row } = judged;
  const { sentAt, processId } = arrival;
  const place = `${row.id} at ${sentAt}`;
  const isOld = (doneAt: number | undefined): doneAt is number =>
    doneAt !== undefined && doneAt + underWayMs < sentAt;
  // A resumed process sends the requests that it prepared before it was stopped.
  if (
    network.disruptions.some(
      (one) => one.processId === processId && one.to > sentAt - underWayMs && one.from < sentAt,
    )
  )
    return [];
  const breaches: string[] = [];

  if (row.kind !== "test") {
    for (const of of [row.webhook_id, accountId]) {
      const stop = changes.findLast((change) => change.of === of && isOld(change.doneAt));
      const maybe = changes.some(
        (change) =>
          change.of === of &&
          change.allows &&
          change.askedAt <= sentAt &&
          // A change without a response may take effect long after its request.
          (change.doneAt === undefined || change.askedAt >= (stop?.askedAt ?? 0)),
      );
      if (stop !== undefined && !stop.allows && !maybe)
        breaches.push(`${place}: sent although ${of} was stopped`);
    }
    const removed = changes.some(
      ({ of, doneAt }) =>
        of === `${accountId}/${row.record_id}` && isOld(doneAt) && row.created_at < doneAt - underWayMs,
    );
    if (removed) breaches.push(`${place}: sent although its order was removed`);
    const ofOrder = publications.filter(
      (one) => one.accountId === accountId && one.orderId === row.record_id && one.askedAt <= sentAt,
    );
    const newest = ofOrder.findLast(({ doneAt }) => isOld(doneAt));
    const isClear = ofOrder.every(({ doneAt }) => doneAt !== undefined);
    const { data }: { data: { note: string } } = JSON.parse(arrival.body);
    if (isClear && newest !== undefined && Number(data.note) < newest.version)
      breaches.push(`${place}: sent version ${data.note} instead of ${newest.version}`);
  }

  const ofWebhook = secrets.filter(({ webhookId }) => webhookId === row.webhook_id);
  const settled = ofWebhook.findLastIndex(({ doneAt }) => isOld(doneAt));
  const valid = ofWebhook.slice(Math.max(0, settled)).filter(({ askedAt }) => askedAt <= sentAt);
  const isTold =
    subscriptions.some(({ webhookId }) => webhookId === row.webhook_id) && !untold.has(row.webhook_id);
  if (row.kind !== "test" && isTold) {
    const options = {
      body: arrival.body,
      headers: arrival.headers,
      now: sentAt / 1_000,
      toleranceSeconds: 2,
    };
    try {
      verifySync({ ...options, secrets: valid.map(({ current }) => current) });
    } catch (error) {
      breaches.push(`${place}: ${String(error)}`);
    }
  }
  return breaches;
}
