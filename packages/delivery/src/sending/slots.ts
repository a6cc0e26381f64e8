import type { LogCode, OnError } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { Check } from "@hookwright/storage";
import type { AttemptInput } from "./attempt.ts";
import type { Clock } from "../clock.ts";
import { DeliveryError } from "../delivery-error.ts";
import { releaseEndpoint } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Queued } from "./endpoint-queue.ts";
import type { LoadedAttempt } from "./load-attempts.ts";
import type { EndpointResult } from "./plan-batch.ts";
import type { AttemptRow, DeliveryRow } from "../storage/delivery-row.ts";
import type { Outcome } from "./transitions.ts";

export interface SlotsOptions {
  readonly clock: Clock;
  readonly loadAttempts: (endpoint: Endpoint, batch: readonly Queued[]) => Promise<LoadedAttempt[]>;
  readonly runAttempt: (input: AttemptInput) => Promise<AttemptRow>;
  /** The lease under which attempts may start in this partition now. `undefined`: none may. */
  readonly startFence: (partition: string) => Check | undefined;
  readonly isRunning: () => boolean;
  /** Attempts of unhealthy endpoints that may run at once. */
  readonly maximumUnhealthy: number;
  readonly onResult: (result: EndpointResult) => void;
  /** The back-off of an endpoint begins. */
  readonly onBackoff: () => void;
  readonly onReleased: (endpoint: Endpoint) => void;
  readonly onError: OnError;
}

/** A place in the pool, from the moment a delivery is picked until its attempt ends. */
export interface Slot {
  readonly endpoint: Endpoint;
  readonly queued: Queued;
  /** The lease under which the delivery was picked. */
  readonly fence: Check;
  /** It is the next one in order. */
  readonly isNext: boolean;
  /** It counts for the share of unhealthy endpoints. */
  isUnhealthy: boolean;
}

/** After an error of the store, or an attempt that could not be made, an endpoint pauses this long. */
export const errorPauseMs = 1_000;

/**
 * What happens to a picked delivery. Each way ends with the release of its slot:
 *
 *     picked ─► loaded ─► sent ─► result, which is then recorded
 *        │         │        └───► put back: the attempt was not made
 *        │         └────────────► put back: the lease is lost, the back-off has begun, or others must be first
 *        └──────────────────────► put back after an error of the store, or skipped if its row cannot be read
 */
export function createSlots(options: SlotsOptions) {
  const { clock, isRunning, maximumUnhealthy, onError } = options;
  const inFlightOf = new Map<string, number>();
  const idleListeners: (() => void)[] = [];
  let inFlight = 0;
  let unhealthyInFlight = 0;

  /** Loads the deliveries of one endpoint and starts their attempts. */
  async function start(endpoint: Endpoint, batch: readonly Slot[]): Promise<void> {
    const { areLimitsRestored: wereRestored } = endpoint;
    try {
      const loaded = await options.loadAttempts(
        endpoint,
        batch.map(({ queued }) => queued),
      );
      // The lease may have been lost while the store was read.
      const fence = !endpoint.isLost && isRunning() ? options.startFence(endpoint.partition) : undefined;
      batch.forEach((slot, index) => {
        const attempt = loaded[index];
        if (!wereRestored) countAsUnhealthy(slot);
        if (slot.fence === fence && attempt !== undefined && mayRun(slot, attempt)) run(slot, attempt);
        else putBack(slot, 0);
      });
    } catch (error) {
      if (batch.length > 1 && isAboutOneRow(error)) {
        for (const slot of batch) void start(endpoint, [slot]);
        return;
      }
      const ids = batch.length === 1 ? { delivery_id: batch[0]?.queued.id } : {};
      onError(error, {
        ...idsOf(endpoint),
        ...ids,
        deliveries: batch.length,
        code: codeOf(error, "attempts_not_prepared"),
      });
      for (const slot of batch) {
        // Its row stays in the store. It is not read again before the next restart.
        if (isUnreadable(error)) release(slot);
        else putBack(slot, errorPauseMs);
      }
    }
  }

  /** The failures of the endpoint were read after its first deliveries were picked. */
  function countAsUnhealthy(slot: Slot): void {
    if (slot.isUnhealthy || !slot.endpoint.limits.isUnhealthy) return;
    slot.isUnhealthy = true;
    unhealthyInFlight += 1;
  }

  /** Since the delivery was picked, the back-off may have begun, and the rate limit or the order may have been read. */
  function mayRun({ endpoint, isNext }: Slot, { send }: LoadedAttempt): boolean {
    const { sending, limits, queue } = endpoint;
    if (!send.ok) return true;
    const now = clock.now();
    const isOverMaximum = limits.isUnhealthy && unhealthyInFlight > maximumUnhealthy;
    if (sending >= limits.limit || limits.backoffUntil > now || isOverMaximum) return false;
    return (isNext || !queue.isOrdered) && limits.takeStart(now);
  }

  /** It is not async: thousands of attempts wait at once, and each would hold the frame of an async function. */
  function run(slot: Slot, { delivery, send }: LoadedAttempt): void {
    const startedAt = clock.now();
    if (!send.ok) return end(slot, delivery, startedAt, { type: "cancelled", reason: send.reason });
    const { endpoint } = slot;
    endpoint.sending += 1;
    const { input, rules } = send;
    options.runAttempt(input).then(
      (attempt) => {
        endpoint.sending -= 1;
        end(slot, delivery, startedAt, { type: "attempted", attempt, rules });
      },
      (error: unknown) => {
        endpoint.sending -= 1;
        onError(error, {
          ...idsOf(endpoint),
          delivery_id: delivery.id,
          ...toTraceField(delivery),
          code: codeOf(error, "attempt_not_made"),
        });
        putBack(slot, errorPauseMs);
      },
    );
  }

  function end(slot: Slot, delivery: DeliveryRow, startedAt: number, outcome: Outcome): void {
    const { endpoint, queued, fence } = slot;
    const { address, limits } = endpoint;
    const endedAt = clock.now();
    let isCounted = true;
    if (outcome.type === "attempted") {
      const { isBackingOff: wasBackingOff } = limits;
      isCounted = limits.onResult(outcome.attempt.error === null, { startedAt, endedAt });
      if (limits.isBackingOff && !wasBackingOff) options.onBackoff();
    } else if (outcome.reason !== "record_deleted") {
      releaseEndpoint(endpoint);
    }
    const { backoffUntil } = limits;
    const result = { address, place: queued, delivery, endedAt, backoffUntil, isCounted, outcome };
    // After a lost lease, the next holder makes the attempt again.
    if (!endpoint.isLost) options.onResult({ endpoint, queued, fence, result });
    release(slot);
  }

  /** The attempt was not made. The store still holds the delivery. */
  function putBack(slot: Slot, pauseMs: number): void {
    const { endpoint, queued } = slot;
    endpoint.queue.putBack(queued);
    if (pauseMs > 0) endpoint.pausedUntil = clock.now() + pauseMs;
    release(slot);
  }

  function release({ endpoint, isUnhealthy }: Slot): void {
    inFlight -= 1;
    endpoint.inFlight -= 1;
    if (isUnhealthy) unhealthyInFlight -= 1;
    const left = (inFlightOf.get(endpoint.partition) ?? 1) - 1;
    if (left > 0) inFlightOf.set(endpoint.partition, left);
    else {
      inFlightOf.delete(endpoint.partition);
      for (const listener of idleListeners.splice(0)) listener();
    }
    options.onReleased(endpoint);
  }

  return {
    start,
    /** Takes a slot for a delivery that is picked. */
    occupy(endpoint: Endpoint, queued: Queued, fence: Check): Slot {
      const { limits, queue } = endpoint;
      const slot = { endpoint, queued, fence, isNext: queue.isOrdered, isUnhealthy: limits.isUnhealthy };
      inFlight += 1;
      if (slot.isUnhealthy) unhealthyInFlight += 1;
      endpoint.inFlight += 1;
      inFlightOf.set(endpoint.partition, (inFlightOf.get(endpoint.partition) ?? 0) + 1);
      return slot;
    },
    get inFlight(): number {
      return inFlight;
    },
    get unhealthyInFlight(): number {
      return unhealthyInFlight;
    },
    /** Resolves when no attempt of the partition runs. */
    async idle(partition: string): Promise<void> {
      while (inFlightOf.has(partition)) await new Promise<void>((resolve) => idleListeners.push(resolve));
    },
  };
}

export function idsOf({ address: { accountId, webhookId } }: Endpoint) {
  return { account_id: accountId, webhook_id: webhookId };
}

/** An error of the engine names its problem by its own code. */
export function codeOf(error: unknown, otherwise: LogCode): LogCode {
  return error instanceof DeliveryError ? error.code : otherwise;
}

/** The trace of the publish, for log lines. */
function toTraceField({ trace_parent: traceParent }: Pick<DeliveryRow, "trace_parent">) {
  return traceParent === undefined ? {} : { trace_id: traceParent.slice(3, 35) };
}

function isUnreadable(error: unknown): boolean {
  return error instanceof DeliveryError && error.code === "delivery_unreadable";
}

/** A damaged row must not block the rows read with it. */
function isAboutOneRow(error: unknown): boolean {
  return isUnreadable(error) || !(error instanceof StorageError || error instanceof DeliveryError);
}
