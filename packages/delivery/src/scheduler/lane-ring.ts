import type { Lane } from "./lane.ts";

/** Troubled lanes come to a turn after so many others at the latest. */
const othersInARow = 16;

/**
 * Lanes that have work and room, in turn. A lane takes one turn and goes to the end. Troubled ones stand in a line of their
 * own: a thousand of them, each with a backlog, would be a thousand turns before that of a lane that does well.
 */
export function createLaneRing() {
  const well = createLine();
  const troubled = createLine();
  let wellInARow = 0;
  return {
    get hasTroubled() {
      return !troubled.isEmpty;
    },
    push(lane: Lane): void {
      if (lane.queued) return;
      lane.queued = true;
      (lane.isTroubled ? troubled : well).push(lane);
    },
    /** @param options.troubled whether it may be a troubled one */
    shift({ troubled: mayBeTroubled }: { readonly troubled: boolean }): Lane | undefined {
      const isTroubledsTurn =
        mayBeTroubled && (well.isEmpty || (wellInARow >= othersInARow && !troubled.isEmpty));
      wellInARow = isTroubledsTurn ? 0 : wellInARow + 1;
      const lane = (isTroubledsTurn ? troubled : well).shift();
      if (lane !== undefined) lane.queued = false;
      return lane;
    },
  };
}

function createLine() {
  let lanes: Lane[] = [];
  let head = 0;
  return {
    get isEmpty() {
      return head === lanes.length;
    },
    push: (lane: Lane): void => void lanes.push(lane),
    shift(): Lane | undefined {
      const lane = lanes[head];
      if (lane === undefined) return undefined;
      head += 1;
      // Shifting an array moves all of it: drop the used part only when it is most of it.
      if (head > 1_024 && head * 2 > lanes.length) {
        lanes = lanes.slice(head);
        head = 0;
      }
      return lane;
    },
  };
}
