import type { AttemptRow } from "@hookwright/delivery";
import type { Arrival } from "./endpoints.ts";
import type { Judged } from "./judged.ts";
import type { Simulation } from "./simulation.ts";

/** So long after its answer an attempt is durable, unless something stands in its way. */
export const recordedWithinMs = 1_500;
/** What a lost wake-up, and a few ways through the network, may cost. */
const begunWithinMs = 2_500;
const retryDelaysMs = [15_000, 60_000, 240_000, 540_000, 900_000];

/** The log is one history that can have been. */
export function findWrongLog({ row, arrivals }: Judged): string[] {
  const { id, kind, status, attempts } = row;
  const breaches: string[] = [];
  const last = attempts.at(-1);
  const isGone = last?.status === 410;
  if (attempts.some(({ number }, index) => number !== index + 1))
    breaches.push(`${id}: attempts out of order`);
  if (attempts.length > (kind === "test" ? 1 : 6)) breaches.push(`${id}: ${attempts.length} attempts`);
  if (attempts.slice(0, -1).some(({ error }) => error === null))
    breaches.push(`${id}: tried again after it was accepted`);
  if (status === "pending") breaches.push(`${id}: pending`);
  if ((status === "delivered") !== (last !== undefined && last.error === null))
    breaches.push(`${id}: ${status} after ${last?.status}`);
  if (status === "failed" && kind !== "test" && attempts.length < 6 && !isGone)
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

/** Within a second a body has but one signature, whoever sends it. */
function isRecordOf(attempt: AttemptRow, { headers, sentAt }: Arrival): boolean {
  return attempt.signature === headers["x-service-signature"] && attempt.started_at === sentAt;
}

/** What was sent is recorded, unless its process died or stood still meanwhile, or the storage was away; only then may it be sent again. */
export function findRepetitions({ network }: Simulation, { row, arrivals }: Judged): string[] {
  const isExcused = ({ processId, sentAt, answeredAt = sentAt + 10_000 }: Arrival): boolean =>
    network.disruptions.some(
      (one) =>
        (one.processId === undefined || one.processId === processId) &&
        one.from <= answeredAt + recordedWithinMs &&
        // What goes on with a lease that is about to run out may begin one more.
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

/** Retries come when they were announced, and are announced as the schedule says. */
export function findWrongTimes({ row, arrivals }: Judged): string[] {
  return row.attempts.flatMap((attempt, index) => {
    const { next_attempt_at: next } = attempt;
    const answeredAt = arrivalOf(attempt, arrivals)?.answeredAt;
    const delay = retryDelaysMs[index];
    if (next === null || delay === undefined || answeredAt === undefined) return [];
    const following = row.attempts[index + 1];
    return [
      ...(next < answeredAt + delay * 0.9 - 1 || next > answeredAt + delay * 1.1 + 1
        ? [`${row.id}: attempt ${attempt.number} announced the next one after ${next - answeredAt} ms`]
        : []),
      ...(following !== undefined && following.started_at < next
        ? [`${row.id}: attempt ${following.number} came ${next - following.started_at} ms early`]
        : []),
    ];
  });
}

/** Where nothing stands in the way, an attempt begins when it is due. */
export function findLate(all: readonly Judged[]): string[] {
  return all.flatMap(({ row }) => {
    const beside = all
      .filter((one) => one.row.webhook_id === row.webhook_id && one.row.id !== row.id)
      .flatMap((one) => one.arrivals);
    return row.attempts.flatMap(({ number, started_at: startedAt }, index) => {
      const due = index === 0 ? row.created_at : (row.attempts[index - 1]?.next_attempt_at ?? startedAt);
      const isBusy = beside.some(
        ({ sentAt, answeredAt = sentAt + 10_000 }) => sentAt <= startedAt && answeredAt >= due,
      );
      return startedAt - due > begunWithinMs && !isBusy
        ? [`${row.id}: attempt ${number} came ${startedAt - due} ms late`]
        : [];
    });
  });
}
