import { moveDelivery, retryDelayMs } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { renderDeliveryRow } from "../../rows/delivery-row.ts";
import { renderRowSize } from "../../rows/row-size.ts";
import type { AttemptRow, DeliveryRow, DeliveryStatus } from "../../rows/delivery-row.ts";
import { queueKeyOf } from "../turns/finished.ts";
import type { Finished } from "../turns/finished.ts";

export interface SettleOptions {
  readonly retryDelaysSeconds: readonly number[];
  readonly random: () => number;
  /** The webhook is gone, or goes with this very answer: what would be tried again is cancelled instead. */
  readonly webhookRemoved: boolean;
}

export interface Settled {
  readonly delivery: DeliveryRow;
  readonly mutations: readonly Mutation[];
}

/**
 * The delivery as it is after this turn, and the rows that say so: out of its queue, into the log, and into the
 * retry queue where another try is to come. Pure: the caller commits.
 */
export function settle(finished: Finished, options: SettleOptions): Settled {
  const mutations: Mutation[] = [];
  return { delivery: settleInto(mutations, finished, options), mutations };
}

/** The same among the rows of others. */
export function settleInto(mutations: Mutation[], finished: Finished, options: SettleOptions): DeliveryRow {
  const delivery = advance(finished, options);
  addMutations(mutations, finished, delivery);
  return delivery;
}

function advance({ delivery, outcome, endedAt }: Finished, options: SettleOptions): DeliveryRow {
  const { random, retryDelaysSeconds, webhookRemoved } = options;
  if (outcome.type === "cancelled") return end(delivery, delivery.attempts, "cancel", endedAt);
  const { attempt } = outcome;
  const attempts = withAttempt(delivery.attempts, attempt);
  if (attempt.error === null) return end(delivery, attempts, "accept", endedAt);
  // The delivery that met 410 has its answer: it failed. It is the pending ones that are cancelled.
  if (attempt.status === 410) return end(delivery, attempts, "give_up", endedAt);
  if (webhookRemoved) return end(delivery, attempts, "cancel", endedAt);
  const delayMs = retryDelayMs({ attemptsMade: attempts.length, delaysSeconds: retryDelaysSeconds, random });
  if (delayMs === undefined) return end(delivery, attempts, "give_up", endedAt);
  const next = endedAt + Math.round(delayMs);
  return {
    ...delivery,
    attempts: withAttempt(delivery.attempts, { ...attempt, next_attempt_at: next }),
    next_attempt_at: next,
  };
}

/** `concat` takes four times as long for one, and a list that grows from nothing has room for seventeen. */
function withAttempt(attempts: readonly AttemptRow[], attempt: AttemptRow): readonly AttemptRow[] {
  return attempts.length === 0 ? [attempt] : [...attempts, attempt];
}

function end(
  delivery: DeliveryRow,
  attempts: readonly AttemptRow[],
  input: "accept" | "give_up" | "cancel",
  at: number,
): DeliveryRow {
  const moved = moveDelivery(delivery.status, input);
  if (!moved.ok) throw new Error(`delivery ${delivery.id}: ${moved.reason}`);
  const status: DeliveryStatus = moved.state;
  return { ...delivery, attempts, status, next_attempt_at: null, completed_at: at };
}

function addMutations(mutations: Mutation[], finished: Finished, after: DeliveryRow): void {
  const { lane, place, delivery: before } = finished;
  const { accountId } = lane;
  const row = renderDeliveryRow(after);
  mutations.push(
    { type: "delete", key: queueKeyOf(finished) },
    { type: "set", key: keys.delivery(accountId, after.id), value: row },
  );
  const wasLogged = place.type === "retry";
  if (wasLogged && after.status !== before.status) {
    mutations.push({ type: "delete", key: logKeyOf(lane, before) });
  }
  if (!wasLogged || after.status !== before.status) {
    mutations.push({ type: "set", key: logKeyOf(lane, after), value: renderRowSize(row) });
  }
  if (after.next_attempt_at !== null) {
    mutations.push({ type: "set", key: keys.retry(lane, after.next_attempt_at, after.id), value: "" });
  }
}

function logKeyOf({ accountId, event, webhookId }: LaneAddress, delivery: DeliveryRow): Key {
  const { id, project_id: projectId, status, kind } = delivery;
  return keys.log(accountId, { event, webhookId, projectId, status, kind, deliveryId: id });
}
