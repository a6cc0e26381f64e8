import type { Store } from "@hookwright/storage";
import type { LaneAddress } from "../../rows/keys.ts";
import type { Clock } from "../../time/clock.ts";
import { createLaneRing } from "./lane-ring.ts";
import type { NextLane } from "./lane-ring.ts";
import { createLane } from "./lane.ts";
import type { Lane, LaneOptions } from "./lane.ts";

/** The lanes of all webhooks this process delivers for, and which of them is next. */
export interface Lanes {
  size(): number;
  find(webhookId: string): Lane | undefined;
  /** The lane of a webhook, made where there was none. */
  open(address: LaneAddress, options: OpenLaneOptions): Lane;
  all(): Iterable<Lane>;
  /** Gives it a place in the line where it has work and room. */
  enqueue(lane: Lane): void;
  /** Takes the next one out of its line: one of those at a pace only where that is allowed. */
  next(options: { readonly paced: boolean }): NextLane | undefined;
  /** Whether any stand in line whose turns are paced. */
  hasPaced(): boolean;
  expectRetry(lane: Lane, dueAt: number): void;
  /** Looks at every lane's retries then, at the latest. */
  wakeAt(at: number): void;
  /** The same now: a clock of the host's own may have been set forward, and no timer with it. */
  enqueueDue(): void;
  /** The partition was lost: nothing of it may start any more. */
  drop(partition: string): void;
  forgetIdle(): void;
  /** No retry falls due any more. */
  stop(): void;
}

export type OpenLaneOptions = Pick<LaneOptions, "partition" | "isBacklog">;

export interface LanesOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Retries fell due, and their lanes stand in the line. */
  readonly onDue: () => void;
}

/** One timer for all lanes: ten thousand webhooks whose retries wait are not ten thousand timers. */
export function createLanes({ store, clock, onDue }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  const ring = createLaneRing();
  let nextWakeAt = Number.POSITIVE_INFINITY;
  let cancelWake = (): void => {};
  let stopped = false;

  function enqueue(lane: Lane): void {
    const standing = lane.standing();
    const isMissing = lane.line !== standing;
    const mayGoUnpaced = standing === "slow" && !lane.isInUnpacedLine && lane.mayGoUnpaced(clock);
    if (!(isMissing || mayGoUnpaced) || !lane.hasRoom() || !lane.hasWork(clock)) return;
    if (isMissing) ring.push(lane);
    if (mayGoUnpaced) ring.pushUnpaced(lane);
  }

  function wakeAt(at: number): void {
    if (at >= nextWakeAt || stopped) return;
    nextWakeAt = at;
    cancelWake();
    cancelWake = clock.schedule(enqueueDue, Math.max(0, at - clock.now()));
  }

  function enqueueDue(): void {
    cancelWake();
    nextWakeAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const lane of lanes.values()) {
      const nextRetryAt = lane.nextRetryAt();
      if (nextRetryAt === undefined) continue;
      if (nextRetryAt <= now) enqueue(lane);
      else next = Math.min(next, nextRetryAt);
    }
    if (next !== Number.POSITIVE_INFINITY) wakeAt(next);
    onDue();
  }

  return {
    size: () => lanes.size,
    find: (webhookId) => lanes.get(webhookId),
    open(address, { partition, isBacklog }) {
      const existing = lanes.get(address.webhookId);
      if (existing !== undefined) return existing;
      const lane = createLane({ store, address, partition, isBacklog, laneCount: () => lanes.size });
      lanes.set(address.webhookId, lane);
      return lane;
    },
    all: () => lanes.values(),
    enqueue,
    next: (allowed) => ring.shift(allowed),
    hasPaced: ring.hasPaced,
    expectRetry(lane, dueAt) {
      lane.expectRetry(dueAt);
      if (dueAt <= clock.now()) enqueue(lane);
      else wakeAt(dueAt);
    },
    wakeAt,
    enqueueDue,
    drop(partition) {
      for (const [id, lane] of lanes) {
        if (lane.partition !== partition) continue;
        lane.dropped = true;
        lanes.delete(id);
      }
    },
    forgetIdle() {
      for (const [id, lane] of lanes) if (lane.isIdle()) lanes.delete(id);
    },
    stop() {
      stopped = true;
      cancelWake();
    },
  };
}
