import type { Check, Store } from "@hookwright/storage";
import type { Endpoint } from "./endpoint.ts";
import { EndpointLimits } from "./endpoint-limits.ts";
import { EndpointQueue } from "./endpoint-queue.ts";
import type { EndpointQueueOptions } from "./endpoint-queue.ts";
import { createRoundRobin } from "./round-robin.ts";
import { codeOf, createSlots, errorPauseMs, idsOf } from "./slots.ts";
import type { Slot, SlotsOptions } from "./slots.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import { createUnhealthyLimit } from "./unhealthy-limit.ts";

export type Dispatcher = ReturnType<typeof createDispatcher>;

export interface DispatcherOptions extends Omit<SlotsOptions, "maximumUnhealthy" | "onReleased"> {
  readonly store: Store;
  readonly random: () => number;
  /** Attempts that may run at once, over all endpoints. */
  readonly poolSize: number;
  readonly longestRetryDelayMs: number;
  readonly maximumBackoffMs: number;
  /** How long the oldest result that is not recorded has waited. */
  readonly storeDelayMs: () => number;
}

/** An endpoint may use this share of the free slots. The same share of the pool is kept for endpoints without an attempt in flight. */
const slotShare = 1 / 32;
/** Unhealthy endpoints may use at most this share of the pool together. */
const unhealthyShare = 1 / 2;
/** A crash repeats at most this many attempts of an endpoint: in flight, or not recorded yet. */
const maximumUnrecorded = 512;
/** Offered deliveries that all endpoints keep in memory. Each may keep 64, and none more than 1,024. */
const maximumOfferedInTotal = 32_768;
/** Attempts that one tick of the event loop starts. Then the responses that have arrived come first. */
const startsPerTick = 64;

/** What an active endpoint gets at its turn. All but `start` end its turns, until it is activated again. */
type Turn =
  | "start"
  /**
   * As many attempts as its limit are in flight, or too many are not recorded. In order, the limit is one. An attempt that ends or is
   * recorded activates it.
   */
  | "at-limit"
  /** It is in back-off, has used up its rate, or pauses after an error of ours. Its timer activates it. */
  | "paused"
  /** It is unhealthy, and the share of unhealthy endpoints is used up. */
  | "no-share"
  /** The lease is not valid, is being released, or its results wait for the store. What ends that is followed by a tick. */
  | "no-lease"
  /** Too few slots are free for another attempt of its own. */
  | "no-slot"
  /** Nothing is due in memory. A retry, a read, a publish, a notification or a scan activates it. */
  | "empty";

const nothing = (): void => {};

/**
 * Decides which attempts may start: round robin over the active endpoints, within a pool of slots. So an endpoint with due deliveries waits
 * for at most one round, however large the backlogs of the others are. Endpoints without an attempt in flight go first.
 */
export function createDispatcher(options: DispatcherOptions) {
  const { store, clock, poolSize, longestRetryDelayMs, isRunning, onError } = options;
  const queueOptions: EndpointQueueOptions = {
    store,
    longestRetryDelayMs,
    now: () => clock.now(),
    maximumOffered: () => Math.min(1_024, Math.max(64, maximumOfferedInTotal / endpoints.size)),
  };
  const endpoints = new Map<string, Endpoint>();
  const active = createRoundRobin<Endpoint>();
  /** Their last turn was `no-slot`. */
  const waitingForSlot = new Set<Endpoint>();
  /** The lowest number of attempts in flight when they began to wait. */
  let fewestInFlight = Number.POSITIVE_INFINITY;
  /** Their last turn was `no-share`. */
  const waitingForShare = new Set<Endpoint>();
  const maximumUnhealthy = Math.ceil(poolSize * unhealthyShare);
  const unhealthyLimit = createUnhealthyLimit(maximumUnhealthy);
  const slots = createSlots({
    ...options,
    maximumUnhealthy,
    onReleased(endpoint) {
      activate(endpoint);
      pump();
    },
  });
  let isPumping = false;

  /** Starts what may start, in the next tick of the event loop. */
  function pump(): void {
    if (isPumping) return;
    isPumping = true;
    const askedAt = clock.now();
    setImmediate(() => {
      isPumping = false;
      const delayMs = clock.now() - askedAt;
      unhealthyLimit.onTick({
        delayMs,
        storeDelayMs: options.storeDelayMs(),
        inFlight: slots.unhealthyInFlight,
      });
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
    const started: Slot[] = [];
    const withoutLease: Endpoint[] = [];
    activateForShare(now);
    activateForSlot();
    const canStart = (endpoint: Endpoint): boolean => {
      const turn = turnOf(endpoint, now, fenceOf);
      if (turn === "start") return true;
      active.deactivate(endpoint);
      if (turn === "no-share") waitingForShare.add(endpoint);
      if (turn === "no-lease") withoutLease.push(endpoint);
      if (turn === "no-slot") waitForSlot(endpoint);
      return false;
    };
    while (slots.inFlight < poolSize && started.length < startsPerTick) {
      const endpoint = active.next(canStart);
      const queued = endpoint?.queue.take();
      const fence = endpoint && fenceOf(endpoint.partition);
      if (endpoint === undefined || queued === undefined || fence === undefined) break;
      started.push(slots.occupy(endpoint, queued, fence));
    }
    if (started.length === startsPerTick) pump();
    withoutLease.forEach(active.activate);
    for (const [endpoint, batch] of Map.groupBy(started, (slot) => slot.endpoint))
      void slots.start(endpoint, batch);
  }

  function turnOf(endpoint: Endpoint, now: number, fenceOf: (partition: string) => Check | undefined): Turn {
    const { queue, limits } = endpoint;
    if (endpoint.inFlight >= limits.limit) return "at-limit";
    const unrecorded = endpoint.inFlight + endpoint.unrecorded;
    if (unrecorded >= maximumUnrecorded || (queue.isOrdered && unrecorded > 0)) return "at-limit";
    if (isPaused(endpoint, now)) return "paused";
    if (isShareTaken(endpoint)) return hasWork(endpoint) ? "no-share" : "empty";
    if (fenceOf(endpoint.partition) === undefined) return "no-lease";
    if (!hasSlot(endpoint)) return "no-slot";
    if (queue.ready < limits.limit && queue.needsRefill()) void refill(endpoint);
    return queue.ready > 0 ? "start" : "empty";
  }

  /** The dynamic threshold: the fewer slots are free, the fewer one endpoint may use. */
  function hasSlot(endpoint: { readonly inFlight: number }): boolean {
    const free = poolSize - slots.inFlight;
    if (endpoint.inFlight === 0) return true;
    return endpoint.inFlight < free * slotShare && free > poolSize * slotShare;
  }

  function waitForSlot(endpoint: Endpoint): void {
    waitingForSlot.add(endpoint);
    fewestInFlight = Math.min(fewestInFlight, endpoint.inFlight);
  }

  /** Enough slots are free for one of the endpoints that wait for a slot. */
  function activateForSlot(): void {
    if (waitingForSlot.size === 0 || !hasSlot({ inFlight: fewestInFlight })) return;
    waitingForSlot.forEach(active.activate);
    waitingForSlot.clear();
    fewestInFlight = Number.POSITIVE_INFINITY;
  }

  function hasWork({ queue }: Endpoint): boolean {
    return queue.ready > 0 || queue.needsRefill();
  }

  /** Activates as many of the unhealthy endpoints that wait as slots of their share are free. */
  function activateForShare(now: number): void {
    let free = unhealthyLimit.limit - slots.unhealthyInFlight;
    for (const endpoint of waitingForShare) {
      if (free <= 0) return;
      waitingForShare.delete(endpoint);
      activate(endpoint);
      if (hasWork(endpoint) && !isPaused(endpoint, now)) free -= 1;
    }
  }

  function isShareTaken({ limits }: Endpoint): boolean {
    return limits.isUnhealthy && slots.unhealthyInFlight >= unhealthyLimit.limit;
  }

  /** Whether the endpoint is in back-off, has used up its rate, or pauses after an error. If so, its timer is set, which activates it. */
  function isPaused(endpoint: Endpoint, now: number): boolean {
    const { limits, inFlight, sending, pausedUntil } = endpoint;
    const until = Math.max(limits.backoffUntil, pausedUntil, limits.nextStartAt(inFlight - sending, now));
    if (until > now) wakeAt(endpoint, until, now);
    return until > now;
  }

  /** Activates the endpoint at this time. An earlier time that was set before stays. */
  function wakeAt(endpoint: Endpoint, at: number, now: number): void {
    if (endpoint.wakesAt <= at || !isRunning()) return;
    endpoint.cancelWake();
    endpoint.wakesAt = at;
    endpoint.cancelWake = clock.schedule(() => {
      endpoint.wakesAt = Number.POSITIVE_INFINITY;
      activate(endpoint);
      pump();
    }, at - now);
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
    if (endpoint.isLost) return;
    const now = clock.now();
    const { queue } = endpoint;
    if (hasWork(endpoint) && !isPaused(endpoint, now)) {
      if (!waitingForShare.has(endpoint) || !isShareTaken(endpoint)) {
        waitingForShare.delete(endpoint);
        waitingForSlot.delete(endpoint);
        // It uses no slot, and its attempt probably succeeds, unless its failures are not read yet.
        // So it need not wait for those that use many.
        if (endpoint.inFlight === 0 && !endpoint.limits.isUnhealthy) active.activateAhead(endpoint);
        else active.activate(endpoint);
      }
    }
    if (queue.nextDueAt !== undefined && queue.nextDueAt > now) wakeAt(endpoint, queue.nextDueAt, now);
  }

  function remove(id: string, endpoint: Endpoint): void {
    endpoint.cancelWake();
    active.deactivate(endpoint);
    waitingForSlot.delete(endpoint);
    waitingForShare.delete(endpoint);
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
        queue: new EndpointQueue(address, queueOptions),
        limits: new EndpointLimits(options),
        lastTurn: 0,
        areLimitsRestored: false,
        texts: undefined,
        inFlight: 0,
        sending: 0,
        unrecorded: 0,
        pausedUntil: 0,
        wakesAt: Number.POSITIVE_INFINITY,
        cancelWake: nothing,
        isLost: false,
      };
      endpoints.set(address.webhookId, endpoint);
      return endpoint;
    },
    find: (webhookId: string): Endpoint | undefined => endpoints.get(webhookId),
    endpoints: (): Iterable<Endpoint> => endpoints.values(),
    activate,
    pump,
    /** The partition is lost: none of its attempts may start. */
    drop(partition: string): void {
      for (const [id, endpoint] of endpoints) {
        if (endpoint.partition !== partition) continue;
        endpoint.isLost = true;
        remove(id, endpoint);
      }
    },
    /**
     * Removes endpoints that have nothing to do. An endpoint that went ahead of a waiting one is kept. Otherwise it could go ahead again.
     */
    forgetIdle(): void {
      const mayPassUntil = active.turnsBeforeWait();
      for (const [id, endpoint] of endpoints) {
        const isIdle = endpoint.queue.isIdle() && endpoint.limits.isForgettable(clock.now());
        if (isIdle && endpoint.lastTurn <= mayPassUntil) remove(id, endpoint);
      }
    },
    inFlight: (): number => slots.inFlight,
    /** Resolves when no attempt of the partition runs. */
    idle: slots.idle,
    stop(): void {
      for (const endpoint of endpoints.values()) endpoint.cancelWake();
    },
  };
}
