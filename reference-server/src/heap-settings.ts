import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import type { StorageLocation } from "./storage-location.ts";

/**
 * By how much of what is alive in it the heap may grow before it is cleaned up, in per cent; 0 leaves it to V8's own judgement, about 300.
 * Where the data is in the heap, each cleaning goes through all of it. Where the data is elsewhere the heap holds little, and grows by what
 * lives through some turns of the event loop: with Redis every delivery, elsewhere those whose endpoints take seconds to answer. While it
 * is cleaned up, a publish may wait for 30 ms.
 */
const growingPercent: Record<StorageLocation["type"], number> = { memory: 0, file: 150, redis: 150 };

/**
 * Keeps the young generation as small as it begins, until {@link letHeapGrow}. What a program loads lives as long as it does: V8 takes that
 * for a sign that more room is needed, and a server that has nothing to do holds 14 MB for it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** Deliveries live for milliseconds: with a small young generation each of them would be moved to the old one. */
export function letHeapGrow(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
}

/** So often it is looked how busy the event loop was. */
const lookEveryMs = 1_000;
/** So much of its time the event loop has work where processor time is what counts. */
const busyShare = 0.5;
/** A start is busy too, and so is a burst. */
const busyLooksInARow = 3;
/** Beside a backlog a young generation of one megabyte is cleaned up thirty to fifty times a second. A server with nothing to do has less work than this. */
const someWorkShare = 0.1;
/** One that has room for two megabytes may double once more: four are cleaned up ten times a second, and each time takes a third longer. */
const enoughRoomBytes = 3_000_000;
/** Within so long it doubles once, if what is alive has filled it meanwhile. In a whole second it might pass the four. */
const doublingMs = 100;

/**
 * Lets the young generation grow while the event loop is busy for seconds; and to four megabytes where it has some work. A
 * large one is cleaned up less often, which saves a busy server up to a quarter of its time; but each time takes longer, and whoever
 * publishes just then waits for it. A server that has time to spare cleans up small heaps, which also stay in the processor's cache.
 *
 * @returns stops looking: the young generation is left as it is
 */
export function letHeapGrowWhenBusy(): () => void {
  let before = performance.eventLoopUtilization();
  let busyLooks = 0;
  let doubling: NodeJS.Timeout | undefined;
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    busyLooks = utilization > busyShare ? busyLooks + 1 : 0;
    if (busyLooks >= busyLooksInARow) letHeapGrow();
    else if (utilization > someWorkShare && roomOfYoungBytes() < enoughRoomBytes) {
      letHeapGrow();
      doubling = setTimeout(keepHeapSmall, doublingMs).unref();
    } else keepHeapSmall();
  }, lookEveryMs);
  looking.unref();
  return () => {
    clearInterval(looking);
    clearTimeout(doubling);
  };
}

/** What the young generation has room for, which V8 reserves twice; `Infinity` where it does not tell. */
function roomOfYoungBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return young === undefined ? Number.POSITIVE_INFINITY : young.space_used_size + young.space_available_size;
}

/** Settles how V8 keeps the heap of a process whose work is delivering. It lets go of much. */
export function applyHeapSettings(storage: StorageLocation["type"]): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent[storage]}`);
  // After one burst that outlives a young collection V8 believes for good that what its code makes lives long, and makes it in
  // the old generation. A delivery that lives for milliseconds there costs up to 60 % more CPU.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
