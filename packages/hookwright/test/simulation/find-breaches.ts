import { keys, parseWebhookHealth } from "@hookwright/delivery";
import { StorageError } from "@hookwright/storage";
import { findWrongArrival } from "./arrival-breaches.ts";
import type { History } from "./history.ts";
import { readDeliveries } from "./judged.ts";
import type { Judged } from "./judged.ts";
import { findLate, findRepetitions, findWrongLog, findWrongTimes } from "./log-breaches.ts";
import { accountIds } from "./operations.ts";
import { queuesOf } from "./queues.ts";
import { findSweptWrongly, findUnread, findUnswept, findUnsweptVersions } from "./retention-breaches.ts";
import type { Simulation } from "./simulation.ts";
import { findMissing, findUnfoundedCancels, findWrongEnds } from "./webhook-breaches.ts";

/**
 * What a run that has come to rest shows to have gone wrong, against what is promised (docs/guide/guarantees.md).
 *
 * @param isCalm whether some worker ran all the time, and nothing stood in its way
 */
export async function findBreaches(
  simulation: Simulation,
  { isCalm }: { readonly isCalm: boolean },
): Promise<string[]> {
  const all = await readDeliveries(simulation);
  return [
    ...(await findLeftovers(simulation)),
    ...findLost(simulation.history, all),
    ...findMissing(simulation, all),
    ...(await findWrongEnds(simulation, all)),
    ...(isCalm ? findLate(all) : []),
    ...findWrongDuplicates(simulation.history),
    ...findTwins(all),
    ...findFaults(simulation),
    ...findForgotten(simulation.history, all),
    ...(await findWrongCounts(simulation, all)),
    ...findSweptWrongly(all),
    ...findUnswept(simulation, all),
    ...(await findUnsweptVersions(simulation, all)),
    ...(await findUnread(simulation, all)),
    ...all.flatMap((one) => [
      ...findWrongLog(one),
      ...findRepetitions(simulation, one),
      ...findWrongTimes(one),
      ...findUnfoundedCancels(simulation, one),
      ...one.arrivals.flatMap((arrival) => findWrongArrival(simulation, one, arrival)),
    ]),
  ];
}

/** Queues are empty in the end. */
async function findLeftovers({ store }: Simulation): Promise<string[]> {
  const breaches: string[] = [];
  for (const accountId of accountIds) {
    for (const prefix of queuesOf(accountId)) {
      const rows = await store.list({ prefix, limit: 100 });
      breaches.push(...rows.map(({ key }) => `still queued: ${key.join("/")}`));
    }
  }
  return breaches;
}

/** Of what was acknowledged, every delivery is in the log, or was. */
function findLost({ publications }: History, all: readonly Judged[]): string[] {
  const logged = new Set(all.map(({ row }) => row.id));
  return publications
    .flatMap(({ deliveries }) => deliveries)
    .filter((id) => !logged.has(id))
    .map((id) => `lost: ${id}`);
}

/** An event of a record is published once, however often that is asked for. */
function findWrongDuplicates({ publications, changes }: History): string[] {
  const breaches: string[] = [];
  const told = new Map<string, { readonly askedAt: number; readonly event: string }[]>();
  const unclear = new Set<string>();
  for (const one of publications) {
    const record = `${one.accountId}/${one.orderId}`;
    const removals = changes.filter(({ of, askedAt }) => of === record && askedAt < one.askedAt);
    if (one.doneAt === undefined || removals.some(({ doneAt }) => doneAt === undefined)) unclear.add(record);
    if (unclear.has(record)) continue;
    const since = Math.max(0, ...removals.map(({ askedAt }) => askedAt));
    const earlier = told.get(record) ?? [];
    const known = earlier.some(({ askedAt, event }) => event === one.event && askedAt > since);
    if (one.duplicate !== known || (known && one.deliveries.length > 0))
      breaches.push(
        `publication ${one.version}: duplicate ${one.duplicate}, ${one.deliveries.length} deliveries`,
      );
    told.set(record, [...earlier, one]);
  }
  return breaches;
}

/** Each webhook has one delivery of an event of a record, however unclear it was whether that was published. */
function findTwins(all: readonly Judged[]): string[] {
  const known = new Set<string>();
  return all
    .filter(({ row }) => row.kind === "event")
    .flatMap(({ row }) => {
      const twin = [row.webhook_id, row.record_id, row.record_arrival].join(" ");
      const isKnown = known.has(twin);
      known.add(twin);
      return isKnown ? [`${row.id}: ${row.webhook_id} has another delivery of it`] : [];
    });
}

function findFaults({ history, network }: Simulation): string[] {
  return history.faults
    .filter(
      (fault) =>
        network.disruptions.length === 0 || !(fault instanceof StorageError && fault.code === "unavailable"),
    )
    .map((fault) => `fault: ${fault instanceof Error ? fault.stack : String(fault)}`);
}

/** What somebody was told to be durable stays in the log, for as long as its delivery does. */
function findForgotten({ told }: History, all: readonly Judged[]): string[] {
  const logged = new Set(
    all.flatMap(({ row }) => row.attempts.map(({ signature }) => `${row.id} ${signature}`)),
  );
  return told
    .filter(({ deliveryId, attempt }) => !logged.has(`${deliveryId} ${attempt.signature}`))
    .map(
      ({ deliveryId, attempt, at }) => `${deliveryId}: attempt ${attempt.number}, recorded at ${at}, is gone`,
    );
}

/** Failures in a row are counted once each. */
async function findWrongCounts({ store, history }: Simulation, all: readonly Judged[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const accountId of accountIds) {
    for (const { key } of await store.list({ prefix: keys.webhooks(accountId), limit: 1_000 })) {
      const id = String(key.at(-1));
      const attempts = all
        .filter(({ row }) => row.webhook_id === id && row.kind !== "test")
        .flatMap(({ row }) => row.attempts);
      // In which order they were recorded is not in the log: those that nothing has set back are all counted.
      const isSetBack =
        attempts.some(({ error }) => error === null) ||
        history.changes.some(({ of, allows }) => of === id && allows);
      const health = parseWebhookHealth(await store.get(keys.webhookHealth(accountId, id)));
      if (!isSetBack && health.consecutive_failures !== attempts.length)
        breaches.push(`${id}: counts ${health.consecutive_failures} failures of ${attempts.length}`);
    }
  }
  return breaches;
}
