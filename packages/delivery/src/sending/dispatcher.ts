import type { LogCode, OnError } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { Check, Store } from "@hookwright/storage";
import type { AttemptInput } from "./attempt.ts";
import { DeliveryError } from "../delivery-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { createEndpointLimits } from "./endpoint-limits.ts";
import { createEndpointQueue } from "./endpoint-queue.ts";
import type { Queued } from "./endpoint-queue.ts";
import type { LoadedAttempt } from "./load-attempts.ts";
import type { EndpointResult } from "./plan-batch.ts";
import { createRoundRobin } from "./round-robin.ts";
import type { AttemptRow, DeliveryRow } from "../storage/codec.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import type { Clock } from "../clock.ts";
import { createTimerQueue } from "./timer-queue.ts";
import type { Outcome } from "./transitions.ts";
import { createUnhealthyLimit } from "./unhealthy-limit.ts";

export type Dispatcher = ReturnType<typeof createDispatcher>;

export interface DispatcherOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  /** Attempts that may run at once, over all endpoints. */
  readonly poolSize: number;
  readonly longestRetryDelayMs: number;
  readonly maximumBackoffMs: number;
  readonly loadAttempts: (endpoint: Endpoint, batch: readonly Queued[]) => Promise<LoadedAttempt[]>;
  readonly runAttempt: (input: AttemptInput) => Promise<AttemptRow>;
  /** The lease under which attempts may start in this partition now. `undefined`: none may. */
  readonly startFence: (partition: string) => Check | undefined;
  readonly isRunning: () => boolean;
  readonly onResult: (result: EndpointResult) => void;
  /** The back-off of an endpoint begins. */
  readonly onBackoff: () => void;
  readonly onError: OnError;
}

/** An endpoint may use this share of the free slots. The same share of the pool is kept for endpoints without an attempt in flight. */
const slotShare = 1 / 32;
/** Unhealthy endpoints may use at most this share of the pool together. */
const unhealthyShare = 1 / 2;
/** Attempts that one round of the event loop starts. Then the responses that have arrived come first. */
const startsPerRound = 64;
/** After an error of the store, an endpoint waits this long. */
const errorPauseMs = 1_000;

/** Starts attempts: round robin over the endpoints that have due deliveries, within a pool of attempts. */
export function createDispatcher(options: DispatcherOptions) {
  const { store, clock, random, poolSize, longestRetryDelayMs, maximumBackoffMs, isRunning, onError } =
    options;
  const endpoints = new Map<string, Endpoint>();
  const active = createRoundRobin<Endpoint>();
  /** Endpoints that wait because too few slots are free for another attempt of theirs. */
  const waitingForSlot = new Set<Endpoint>();
  /** The lowest number of attempts in flight when they began to wait. */
  let fewestInFlight = Number.POSITIVE_INFINITY;
  /** Unhealthy endpoints that wait because their share of the pool is used up. */
  const waitingUnhealthy = new Set<Endpoint>();
  const maximumUnhealthy = Math.ceil(poolSize * unhealthyShare);
  const unhealthyLimit = createUnhealthyLimit(maximumUnhealthy);
  const timers = createTimerQueue<Endpoint>({
    clock,
    onDue(due) {
      due.forEach(activate);
      pump();
    },
  });
  const inFlightOf = new Map<string, number>();
  const idleListeners: (() => void)[] = [];
  let inFlight = 0;
  let unhealthyInFlight = 0;
  let unrecorded = 0;
  let isPumping = false;

  /** Starts what may start, in the next round of the event loop. */
  function pump(): void {
    if (isPumping) return;
    isPumping = true;
    const askedAt = clock.now();
    setImmediate(() => {
      isPumping = false;
      const delayMs = clock.now() - askedAt;
      unhealthyLimit.onRound({ delayMs, inFlight: unhealthyInFlight });
      startAttempts();
    });
  }

  function startAttempts(): void {
    if (!isRunning()) return;
    const now = clock.now();
    const fences = new Map<string, Check | undefined>();
    const fenceOf = (partition: string): Check | undefined => {
      if (!fences.has(partition)) fences.set(partition, options.startFence(partition));
      return fences.get(partition);
    };
    const slots: Slot[] = [];
    /** Endpoints that wait for a lease. Each is looked at once, not again for every attempt that starts. */
    const withoutLease: Endpoint[] = [];
    wakeUnhealthy(now);
    wakeWaiting();
    const canStart = (endpoint: Endpoint): boolean => {
      const isFull = endpoint.inFlight >= endpoint.limits.limit || isWaiting(endpoint, now);
      if (!isFull && isOverUnhealthyShare(endpoint)) {
        if (hasWork(endpoint)) waitingUnhealthy.add(endpoint);
      } else if (!isFull && fenceOf(endpoint.partition) === undefined) withoutLease.push(endpoint);
      else if (!isFull && !hasSlot(endpoint)) waitForSlot(endpoint);
      else if (!isFull) {
        refillIfNeeded(endpoint, now);
        if (endpoint.queue.ready > 0) return true;
      }
      active.deactivate(endpoint);
      return false;
    };
    while (inFlight < poolSize && slots.length < startsPerRound) {
      const endpoint = active.next(canStart);
      const queued = endpoint?.queue.take();
      if (endpoint === undefined || queued === undefined) break;
      slots.push(occupy(endpoint, queued));
    }
    if (slots.length === startsPerRound) pump();
    withoutLease.forEach(active.activate);
    for (const [endpoint, batch] of Map.groupBy(slots, (slot) => slot.endpoint))
      void start(endpoint, batch, fenceOf(endpoint.partition));
  }

  /** The dynamic threshold: the fewer slots are free, the fewer one endpoint may use. */
  function hasSlot(endpoint: { readonly inFlight: number }): boolean {
    const free = poolSize - inFlight;
    if (endpoint.inFlight === 0) return true;
    return endpoint.inFlight < free * slotShare && free > poolSize * slotShare;
  }

  function waitForSlot(endpoint: Endpoint): void {
    waitingForSlot.add(endpoint);
    fewestInFlight = Math.min(fewestInFlight, endpoint.inFlight);
  }

  /** Enough slots are free for one of the endpoints that wait for a slot. */
  function wakeWaiting(): void {
    if (waitingForSlot.size === 0 || !hasSlot({ inFlight: fewestInFlight })) return;
    waitingForSlot.forEach(active.activate);
    waitingForSlot.clear();
    fewestInFlight = Number.POSITIVE_INFINITY;
  }

  function hasWork({ queue }: Endpoint): boolean {
    return queue.ready > 0 || queue.needsRefill();
  }

  /** Activates as many of the unhealthy endpoints that wait as slots of their share are free. */
  function wakeUnhealthy(now: number): void {
    let free = unhealthyLimit.limit - unhealthyInFlight;
    for (const endpoint of waitingUnhealthy) {
      if (free <= 0) return;
      waitingUnhealthy.delete(endpoint);
      activate(endpoint);
      if (hasWork(endpoint) && !isWaiting(endpoint, now)) free -= 1;
    }
  }

  function isOverUnhealthyShare({ limits }: Endpoint): boolean {
    return limits.isUnhealthy && unhealthyInFlight >= unhealthyLimit.limit;
  }

  /** Whether the endpoint is in back-off, or pauses after an error. Its timer activates it again. */
  function isWaiting(endpoint: Endpoint, now: number): boolean {
    const until = Math.max(endpoint.limits.backoffUntil, endpoint.pausedUntil);
    if (until > now) timers.wakeAt(endpoint, until);
    return until > now;
  }

  function refillIfNeeded(endpoint: Endpoint, now: number): void {
    const { queue, limits } = endpoint;
    if (queue.ready < limits.limit && endpoint.pausedUntil <= now && queue.needsRefill())
      void refill(endpoint);
  }

  async function refill(endpoint: Endpoint): Promise<void> {
    const { queue, limits } = endpoint;
    try {
      await queue.refill(limits.limit * 2);
    } catch (error) {
      if (isRunning()) onError(error, { ...idsOf(endpoint), code: codeOf(error, "queues_not_read") });
      endpoint.pausedUntil = clock.now() + errorPauseMs;
    }
    activate(endpoint);
    pump();
  }

  /** Call it when an endpoint may have due deliveries. */
  function activate(endpoint: Endpoint): void {
    if (endpoint.closed) return;
    const now = clock.now();
    const { queue } = endpoint;
    if (hasWork(endpoint) && !isWaiting(endpoint, now)) {
      if (!waitingUnhealthy.has(endpoint) || !isOverUnhealthyShare(endpoint)) {
        waitingUnhealthy.delete(endpoint);
        waitingForSlot.delete(endpoint);
        active.activate(endpoint);
      }
    }
    if (queue.nextDueAt !== undefined && queue.nextDueAt > now) timers.wakeAt(endpoint, queue.nextDueAt);
  }

  async function start(endpoint: Endpoint, batch: readonly Slot[], fence: Check | undefined): Promise<void> {
    const { areLimitsRestored: wereRestored } = endpoint;
    try {
      const loaded = await options.loadAttempts(
        endpoint,
        batch.map(({ queued }) => queued),
      );
      // The lease may have been lost while the store was read.
      const mayStart = !endpoint.closed && isRunning() && options.startFence(endpoint.partition) === fence;
      batch.forEach((slot, index) => {
        const attempt = loaded[index];
        if (!wereRestored) countAsUnhealthy(slot);
        if (mayStart && attempt !== undefined && mayRun(endpoint, attempt)) void run(slot, attempt, fence);
        else putBack(slot, 0);
      });
    } catch (error) {
      if (batch.length > 1 && isAboutOneRow(error)) {
        for (const slot of batch) void start(endpoint, [slot], fence);
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
        if (isUnreadable(error)) skip(slot);
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

  /** The back-off may have begun, or been restored, since the delivery was picked. */
  function mayRun(endpoint: Endpoint, { send }: LoadedAttempt): boolean {
    const { sending, limits } = endpoint;
    if (!send.ok) return true;
    const isOverShare = limits.isUnhealthy && unhealthyInFlight > maximumUnhealthy;
    return sending < limits.limit && limits.backoffUntil <= clock.now() && !isOverShare;
  }

  async function run(slot: Slot, { delivery, send }: LoadedAttempt, fence: Check | undefined): Promise<void> {
    const { endpoint, queued } = slot;
    const startedAt = clock.now();
    let outcome: Outcome;
    try {
      outcome = send.ok
        ? { type: "attempted", attempt: await sendTo(endpoint, send.input) }
        : { type: "cancelled", reason: send.reason };
    } catch (error) {
      onError(error, {
        ...idsOf(endpoint),
        delivery_id: delivery.id,
        ...toTraceField(delivery),
        code: codeOf(error, "attempt_not_made"),
      });
      return putBack(slot, errorPauseMs);
    }
    const endedAt = clock.now();
    const { address, limits } = endpoint;
    let isCounted = true;
    if (outcome.type === "attempted") {
      const { isBackingOff: wasBackingOff } = limits;
      isCounted = limits.onResult(outcome.attempt.error === null, { startedAt, endedAt });
      if (limits.isBackingOff && !wasBackingOff) options.onBackoff();
    } else if (outcome.reason !== "record_deleted") {
      // Nothing is sent, so nothing has to wait. When the webhook is active again, its failures are read again.
      limits.onResult(true, { startedAt, endedAt });
      endpoint.areLimitsRestored = false;
    }
    const place = queued.type === "retry" ? ({ type: "retry", dueAt: queued.dueAt } as const) : newPlace;
    const { backoffUntil } = limits;
    const result = { address, place, delivery, endedAt, backoffUntil, isCounted, outcome };
    if (endpoint.closed) unrecorded -= 1;
    else options.onResult({ endpoint, fence, result });
    release(slot);
  }

  async function sendTo(endpoint: Endpoint, input: AttemptInput): Promise<AttemptRow> {
    endpoint.sending += 1;
    try {
      return await options.runAttempt(input);
    } finally {
      endpoint.sending -= 1;
    }
  }

  /** The attempt was not made. The store still holds the delivery. */
  function putBack(slot: Slot, pauseMs: number): void {
    const { endpoint, queued } = slot;
    unrecorded -= 1;
    endpoint.queue.putBack(queued.id);
    if (pauseMs > 0) endpoint.pausedUntil = clock.now() + pauseMs;
    release(slot);
  }

  /** A row that cannot be read stays in the store. It is not read again before the next restart. */
  function skip(slot: Slot): void {
    unrecorded -= 1;
    release(slot);
  }

  function occupy(endpoint: Endpoint, queued: Queued): Slot {
    const slot = { endpoint, queued, isUnhealthy: endpoint.limits.isUnhealthy };
    inFlight += 1;
    if (slot.isUnhealthy) unhealthyInFlight += 1;
    unrecorded += 1;
    endpoint.inFlight += 1;
    inFlightOf.set(endpoint.partition, (inFlightOf.get(endpoint.partition) ?? 0) + 1);
    return slot;
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
    activate(endpoint);
    pump();
  }

  function remove(id: string, endpoint: Endpoint): void {
    active.deactivate(endpoint);
    waitingForSlot.delete(endpoint);
    waitingUnhealthy.delete(endpoint);
    endpoints.delete(id);
  }

  return {
    /** The endpoint of a webhook, created if there is none. */
    open(address: EndpointAddress, partition: string): Endpoint {
      const existing = endpoints.get(address.webhookId);
      if (existing !== undefined) return existing;
      const endpoint: Endpoint = {
        address,
        partition,
        queue: createEndpointQueue({ store, address, now: () => clock.now(), longestRetryDelayMs }),
        limits: createEndpointLimits({ maximumBackoffMs, random }),
        areLimitsRestored: false,
        texts: undefined,
        inFlight: 0,
        sending: 0,
        pausedUntil: 0,
        closed: false,
      };
      endpoints.set(address.webhookId, endpoint);
      return endpoint;
    },
    find: (webhookId: string): Endpoint | undefined => endpoints.get(webhookId),
    endpoints: (): Iterable<Endpoint> => endpoints.values(),
    activate,
    pump,
    /** The result cannot be recorded. Its delivery is not read again before the next restart. */
    giveUp(): void {
      unrecorded -= 1;
      pump();
    },
    /** The result of a delivery is recorded, or belongs to another worker now. */
    forget({ endpoint, result }: EndpointResult): void {
      unrecorded -= 1;
      endpoint.queue.done(result.delivery.id);
    },
    /** The partition is lost: none of its attempts may start. */
    drop(partition: string): void {
      for (const [id, endpoint] of endpoints) {
        if (endpoint.partition !== partition) continue;
        endpoint.closed = true;
        remove(id, endpoint);
      }
    },
    /** Removes endpoints that have nothing to do. */
    forgetIdle(): void {
      for (const [id, endpoint] of endpoints) {
        if (endpoint.queue.isIdle() && endpoint.limits.backoffUntil <= clock.now()) {
          remove(id, endpoint);
        }
      }
    },
    inFlight: (): number => inFlight,
    /** Attempts that have started and are not recorded. */
    unrecorded: (): number => unrecorded,
    /** Resolves when no attempt of the partition runs. */
    async idle(partition: string): Promise<void> {
      while (inFlightOf.has(partition)) await new Promise<void>((resolve) => idleListeners.push(resolve));
    },
    stop: timers.stop,
  };
}

/** A place in the pool, from the moment a delivery is picked until its attempt ends. */
interface Slot {
  readonly endpoint: Endpoint;
  readonly queued: Queued;
  /** It counts for the share of unhealthy endpoints. */
  isUnhealthy: boolean;
}

const newPlace = { type: "new" } as const;

function idsOf({ address: { accountId, webhookId } }: Endpoint) {
  return { account_id: accountId, webhook_id: webhookId };
}

/** The trace of the publish, for log lines. */
function toTraceField({ trace_parent: traceParent }: Pick<DeliveryRow, "trace_parent">) {
  return traceParent === undefined ? {} : { trace_id: traceParent.slice(3, 35) };
}

/** An error of the engine names its problem by its own code. */
function codeOf(error: unknown, otherwise: LogCode): LogCode {
  return error instanceof DeliveryError ? error.code : otherwise;
}

function isUnreadable(error: unknown): boolean {
  return error instanceof DeliveryError && error.code === "delivery_unreadable";
}

/** A damaged row must not block the rows read with it. */
function isAboutOneRow(error: unknown): boolean {
  return isUnreadable(error) || !(error instanceof StorageError || error instanceof DeliveryError);
}
