import type { AttemptRow } from "@hookwright/delivery";
import type { Arrival } from "./endpoints.ts";
import type { Judged } from "./judged.ts";
import { retryDelaysSeconds } from "./operations.ts";
import { isOrdered } from "./order-breaches.ts";
import type { Simulation } from "./simulation.ts";

/** An attempt must be durable this long after its response, without disruptions. */
export const recordedWithinMs = 1_500;
/** A notification may be lost. A scan every 5 s finds the delivery then. */
const begunWithinMs = 7_500;
/** After so many failures in a row, attempts of a webhook are spaced. */
export const failuresBeforeBackoff = 10;
const maximumBackoffMs = 180_000;
const retryDelaysMs = retryDelaysSeconds.map((seconds) => seconds * 1_000);
const mostAttempts = 1 + retryDelaysMs.length;

/** Checks that the log is a possible history. */
export function findWrongLog({ row, arrivals }: Judged): string[] {
  const { id, kind, status, attempts } = row;
  const breaches: string[] = [];
  const last = attempts.at(-1);
  const isGone = last?.status === 410;
  if (attempts.some(({ number }, index) => number !== index + 1))
    breaches.push(`${id}: attempts out of order`);
  if (attempts.length > (kind === "test" ? 1 : mostAttempts))
    breaches.push(`${id}: ${attempts.length} attempts`);
  if (attempts.slice(0, -1).some(({ error }) => error === null))
    breaches.push(`${id}: tried again after it was accepted`);
  if (status === "pending") breaches.push(`${id}: pending`);
  if ((status === "delivered") !== (last !== undefined && last.error === null))
    breaches.push(`${id}: ${status} after ${last?.status}`);
  if (status === "failed" && kind !== "test" && attempts.length < mostAttempts && !isGone)
    breaches.push(`${id}: failed after ${attempts.length} attempts`);
  for (const attempt of attempts) {
    if (arrivalOf(attempt, arrivals) === undefined)
      breaches.push(`${id}: attempt ${attempt.number} never was`);
  }
  return breaches;
}

function arrivalOf(attempt: AttemptRow, arrivals: readonly Arrival[]): Arrival | undefined {
  return arrivals.find((arrival) => isRecordOf(attempt, arrival));
}

/** Within one second a body has only one signature, whichever process sends it. */
function isRecordOf(attempt: AttemptRow, { headers, sentAt }: Arrival): boolean {
  return attempt.signature === headers["x-service-signature"] && attempt.started_at === sentAt;
}

/**
 * Every sent request must be recorded, unless its process died or stopped, or the storage was unavailable. Only then
 * may it be sent again.
 */
export function findRepetitions({ network }: Simulation, { row, arrivals }: Judged): string[] {
  const isExcused = ({ processId, sentAt, answeredAt = sentAt + 10_000 }: Arrival): boolean =>
    network.disruptions.some(
      (one) =>
        (one.processId === undefined || one.processId === processId) &&
        one.from <= answeredAt + recordedWithinMs &&
        // A process whose lease is about to expire may start one more attempt.
        one.to + 100 >= sentAt,
    );
  const unknown = arrivals.filter(
    (arrival) => !row.attempts.some((attempt) => isRecordOf(attempt, arrival)) && !isExcused(arrival),
  );
  const again = arrivals.filter(({ sentAt }) =>
    arrivals.some((one) => one.behaviour.startsWith("accepts") && one.sentAt < sentAt && !isExcused(one)),
  );
  return [
    ...unknown.map(({ sentAt }) => `${row.id}: what was sent at ${sentAt} is not in the log`),
    ...again.map(({ sentAt }) => `${row.id}: sent again at ${sentAt} after it was accepted`),
  ];
}

/** When a failing endpoint may have got its tenth failure. */
function backoffBeginsAt(all: readonly Judged[], webhookId: string): number {
  const failures = all
    .filter(({ row }) => row.webhook_id === webhookId)
    .flatMap(({ arrivals }) => arrivals.filter(({ behaviour }) => !behaviour.startsWith("accepts")))
    .map(({ sentAt }) => sentAt)
    .toSorted((one, other) => one - other);
  return failures[failuresBeforeBackoff - 1] ?? Number.POSITIVE_INFINITY;
}

/** Retries start not before the announced time. That time follows the schedule, or the back-off of the webhook. */
export function findWrongTimes({ row, arrivals }: Judged, all: readonly Judged[]): string[] {
  const backoffAt = backoffBeginsAt(all, row.webhook_id);
  return row.attempts.flatMap((attempt, index) => {
    const { next_attempt_at: next } = attempt;
    const answeredAt = arrivalOf(attempt, arrivals)?.answeredAt;
    const delay = retryDelaysMs[index];
    if (next === null || delay === undefined || answeredAt === undefined) return [];
    const following = row.attempts[index + 1];
    const backoffMs = answeredAt >= backoffAt ? maximumBackoffMs : 0;
    return [
      ...(next < answeredAt + delay * 0.9 - 1 || next > answeredAt + Math.max(delay * 1.1, backoffMs) + 1
        ? [`${row.id}: attempt ${attempt.number} announced the next one after ${next - answeredAt} ms`]
        : []),
      ...(following !== undefined && following.started_at < next
        ? [`${row.id}: attempt ${following.number} came ${next - following.started_at} ms early`]
        : []),
    ];
  });
}

/**
 * An attempt starts when it is due, unless its webhook is busy or in back-off. A worker that hands over the partition
 * of the account ends its attempts first.
 */
export function findLate(all: readonly Judged[]): string[] {
  return all.flatMap(({ accountId, row, arrivals }) => {
    const backoffAt = backoffBeginsAt(all, row.webhook_id);
    const others = all.filter((one) => one.accountId === accountId && one.row.id !== row.id);
    const beside = others
      .filter((one) => one.row.webhook_id === row.webhook_id)
      .flatMap((one) => one.arrivals);
    return row.attempts.flatMap((attempt, index) => {
      const { number, started_at: startedAt } = attempt;
      const due = index === 0 ? row.created_at : (row.attempts[index - 1]?.next_attempt_at ?? startedAt);
      const isBusy = beside.some(
        ({ sentAt, answeredAt = sentAt + 10_000 }) =>
          sentAt <= startedAt && answeredAt + (answeredAt >= backoffAt ? maximumBackoffMs : 0) >= due,
      );
      const worker = arrivalOf(attempt, arrivals)?.processId;
      const handedOverAt = others
        .flatMap((one) => one.arrivals)
        .filter(({ processId, sentAt }) => processId !== worker && sentAt <= due)
        .map(({ sentAt, answeredAt = sentAt + 10_000 }) => answeredAt);
      // In order, it waits for all that were before it.
      const endedAt = others.flatMap(({ row: { webhook_id, completed_at: at } }) =>
        isOrdered(row) && webhook_id === row.webhook_id && at !== null && at <= startedAt ? [at] : [],
      );
      const couldStartAt = Math.max(due, ...handedOverAt, ...endedAt);
      return startedAt - couldStartAt > begunWithinMs && !isBusy
        ? [`${row.id}: attempt ${number} came ${startedAt - due} ms late`]
        : [];
    });
  });
}
