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
  file: 60,
  redis: 150,
  postgres: 150,
  unstorage: 0,
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
/**
 * The capacity of the young generation for a load, which is the utilization of the event loop. With less, there are too many collections.
 * With more, each takes longer, and the memory is wasted. V8 doubles it: 1, 2, 4, 8, 16 MB.
 */
const loads = [
  { above: 0.5, sufficientBytes: 12_000_000 },
  { above: 0.1, sufficientBytes: 3_000_000 },
];
/** Within this time it doubles at most once. A whole second could allow more. */
const doublingMs = 100;

/**
 * Lets the young generation double once a second until its capacity is sufficient for the load.
 *
 * @returns a function that stops the measurements and leaves the young generation as it is
 */
export function letHeapGrowWhenBusy(): () => void {
  let before = performance.eventLoopUtilization();
  let doubling: NodeJS.Timeout | undefined;
  const measuring = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const load = loads.find(({ above }) => utilization > above);
    if (load === undefined || youngCapacityBytes() >= load.sufficientBytes) return keepHeapSmall();
    letHeapGrow();
    doubling = setTimeout(keepHeapSmall, doublingMs).unref();
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
