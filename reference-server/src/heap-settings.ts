import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import type { StorageLocation } from "./storage-location.ts";

/**
 * How much the heap may grow before a full collection, in per cent of its live size. 0 means V8's default of about 300.
 * With the data in the heap, every collection traverses all of it, so the default is kept. With the data elsewhere, the
 * heap is small and collections are cheap.
 */
const growingPercent: Record<StorageLocation["type"], number> = {
  memory: 0,
  file: 150,
  redis: 150,
  postgres: 150,
};

/**
 * Keeps the young generation at its initial size until {@link letHeapGrow}. Start-up code stays alive, and V8 would
 * grow the young generation for it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** Deliveries live for milliseconds. A small young generation would promote each of them to the old one. */
export function letHeapGrow(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
}

/** How often the load of the event loop is measured. */
const measureEveryMs = 1_000;
/** Above this event-loop utilization, CPU time is the bottleneck. */
const busyShare = 0.5;
/** Start-up and short bursts are busy too, so several measurements in a row must be. */
const busyMeasurementsInARow = 3;
/** An idle server has less utilization than this. Above it, a young generation of 1 MB causes too many collections. */
const moderateLoadShare = 0.1;
/** With less than this capacity, the young generation may double once more. Above 4 MB each collection takes longer. */
const sufficientCapacityBytes = 3_000_000;
/** Within this time it doubles at most once. A whole second could allow more. */
const doublingMs = 100;

/**
 * Lets the young generation grow while the event loop is busy for seconds, and to 4 MB under moderate load. A large
 * young generation needs fewer collections, but each pause delays a concurrent publish.
 *
 * @returns a function that stops the measurements and leaves the young generation as it is
 */
export function letHeapGrowWhenBusy(): () => void {
  let before = performance.eventLoopUtilization();
  let busyMeasurements = 0;
  let doubling: NodeJS.Timeout | undefined;
  const measuring = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    busyMeasurements = utilization > busyShare ? busyMeasurements + 1 : 0;
    if (busyMeasurements >= busyMeasurementsInARow) letHeapGrow();
    else if (utilization > moderateLoadShare && youngCapacityBytes() < sufficientCapacityBytes) {
      letHeapGrow();
      doubling = setTimeout(keepHeapSmall, doublingMs).unref();
    } else keepHeapSmall();
  }, measureEveryMs);
  measuring.unref();
  return () => {
    clearInterval(measuring);
    clearTimeout(doubling);
  };
}

/** The capacity of the young generation in bytes. `Infinity` if V8 does not report it. */
function youngCapacityBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return young === undefined ? Number.POSITIVE_INFINITY : young.space_used_size + young.space_available_size;
}

/** Configures V8's heap for a process whose main work is delivering. */
export function applyHeapSettings(storage: StorageLocation["type"]): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent[storage]}`);
  // After one burst, V8 would allocate objects of the same code in the old generation for good, which costs CPU time.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
