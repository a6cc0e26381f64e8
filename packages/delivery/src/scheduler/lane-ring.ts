import type { Lane } from "./lane.ts";

/** Lanes that have work and room, in turn. A lane takes one turn and goes to the end. */
export function createLaneRing() {
  let turns: Lane[] = [];
  let head = 0;
  return {
    get isEmpty() {
      return head === turns.length;
    },
    push(lane: Lane): void {
      if (lane.queued) return;
      lane.queued = true;
      turns.push(lane);
    },
    shift(): Lane | undefined {
      const lane = turns[head];
      if (lane === undefined) return undefined;
      lane.queued = false;
      head += 1;
      // Shifting an array moves all of it: drop the used part only when it is most of it.
      if (head > 1_024 && head * 2 > turns.length) {
        turns = turns.slice(head);
        head = 0;
      }
      return lane;
    },
  };
}
