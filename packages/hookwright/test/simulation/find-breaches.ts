import { listWebhooks, readWebhookHealth } from "@hookwright/delivery";
import { StorageError } from "@hookwright/storage";
import { findWrongArrival } from "./arrival-breaches.ts";
import type { History } from "./history.ts";
import { findSentTwice, findUnsent } from "./job-breaches.ts";
import { readDeliveries } from "./judged.ts";
import type { Judged } from "./judged.ts";
import { findWrongLedger } from "./ledger-breaches.ts";
import {
  failuresBeforeBackoff,
  findLate,
  findRepetitions,
  findWrongLog,
  findWrongTimes,
} from "./log-breaches.ts";
import { accountIds } from "./operations.ts";
import { findDisorder } from "./order-breaches.ts";
import { queuesOf } from "./queues.ts";
import { findSweptWrongly, findUnread, findUnswept, findUnsweptVersions } from "./retention-breaches.ts";
import type { Simulation } from "./simulation.ts";
import { findMissing, findUnfoundedCancels, findWrongEnds } from "./webhook-breaches.ts";

/**
 * Compares a finished run with the guarantees (docs/guide/guarantees.md) and returns all breaches.
 *
 * @param isCalm true if some worker ran all the time without disruptions
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
    ...findDisorder(simulation, all),
    ...findFaults(simulation),
    ...findForgotten(simulation.history, all),
    ...(await findWrongCounts(simulation, all)),
    ...(await findWrongLedger(simulation, all)),
    ...findSweptWrongly(all),
    ...findUnswept(simulation, all),
    ...(await findUnsweptVersions(simulation, all)),
    ...(await findUnread(simulation, all)),
    ...findSentTwice(simulation.history),
    ...(await findUnsent(simulation, all)),
    ...all.flatMap((one) => [
      ...findWrongLog(one),
      ...findRepetitions(simulation, one),
      ...findWrongTimes(one, all),
      ...findUnfoundedCancels(simulation, one),
      ...one.arrivals.flatMap((arrival) => findWrongArrival(simulation, one, arrival)),
    ]),
  ];
}

/** All queues must be empty at the end. */
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

/** Every delivery of an acknowledged publication must be in the log, or have been in it. */
function findLost({ publications }: History, all: readonly Judged[]): string[] {
  const logged = new Set(all.map(({ row }) => row.id));
  return publications
    .flatMap(({ deliveries }) => deliveries)
    .filter((id) => !logged.has(id))
    .map((id) => `lost: ${id}`);
}

/** An event of a record must be published only once, even if it is requested several times. */
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

/** Each webhook must have one delivery per event of a record, even if the outcome of the publication was unknown. */
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
    .map((fault) => `error: ${fault instanceof Error ? fault.stack : String(fault)}`);
}

/** An attempt that was reported as durable must stay in the log as long as its delivery. */
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

/** Each failure in a row must be counted once, but for attempts that were in flight when the back-off began. */
async function findWrongCounts({ store, history }: Simulation, all: readonly Judged[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const accountId of accountIds) {
    for (const { id } of await listWebhooks(store, accountId, { limit: 1_000 })) {
      const attempts = all
        .filter(({ row }) => row.webhook_id === id && row.kind !== "test")
        .flatMap(({ row }) => row.attempts);
      // The log does not show the order of recording. So all failures since the last reset count.
      const isSetBack =
        attempts.some(({ error }) => error === null) ||
        history.changes.some(({ of, allows }) => of === id && allows);
      const [health] = await readWebhookHealth(store, accountId, [id]);
      const counted = health?.consecutive_failures ?? 0;
      const isExact = attempts.length <= failuresBeforeBackoff;
      const isPossible = isExact
        ? counted === attempts.length
        : counted >= failuresBeforeBackoff && counted <= attempts.length;
      if (!isSetBack && !isPossible) breaches.push(`${id}: counts ${counted} failures of ${attempts.length}`);
    }
  }
  return breaches;
}
