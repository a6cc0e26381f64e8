import type { Lane } from "./lane.ts";

/** Lanes of partitions in which nothing may begin for now: outside the line, so that nobody comes past them with every turn. */
export interface ParkedLanes {
  park(lane: Lane): void;
  /** Calls back with those of each partition that `mayBeginIn` answers for: they are parked no longer. */
  release(mayBeginIn: (partition: string) => boolean, callback: (lane: Lane) => void): void;
}

export function createParkedLanes(): ParkedLanes {
  const byPartition = new Map<string, Set<Lane>>();

  return {
    park(lane) {
      const parked = byPartition.get(lane.partition);
      // A partition that was lost has dropped all of its lanes at once.
      if (parked === undefined || isDropped(parked)) byPartition.set(lane.partition, new Set([lane]));
      else parked.add(lane);
    },
    release(mayBeginIn, callback) {
      for (const [partition, parked] of byPartition) {
        const isGone = isDropped(parked);
        if (!isGone && !mayBeginIn(partition)) continue;
        byPartition.delete(partition);
        if (!isGone) parked.forEach(callback);
      }
    },
  };
}

function isDropped(parked: ReadonlySet<Lane>): boolean {
  for (const { dropped } of parked) return dropped;
  return true;
}
