import type { Standing } from "./earned-room.ts";
import type { Lane } from "./lane.ts";

/** Who is not well comes to a turn after so many others at the latest. */
const othersInARow = 16;

/**
 * Lanes that have work and room, in turn. A lane takes one turn and goes to the end. Each standing is a line of its own: a thousand
 * that fail, each with a backlog, would be a thousand turns before that of a lane that does well, or is only slow. Of the two that are
 * not well each has every other turn, as long as both have lanes.
 */
export function createLaneRing() {
  const lines: Readonly<Record<Standing, Line>> = {
    well: createLine(),
    slow: createLine(),
    failing: createLine(),
  };
  let wellInARow = 0;
  let isSlowsTurn = true;

  function shiftTroubled(): Lane | undefined {
    const [first, second] = isSlowsTurn ? [lines.slow, lines.failing] : [lines.failing, lines.slow];
    isSlowsTurn = !isSlowsTurn;
    return first.shift() ?? second.shift();
  }

  function shiftNext(mayBeTroubled: boolean): Lane | undefined {
    if (wellInARow < othersInARow) {
      const lane = lines.well.shift();
      if (lane !== undefined) {
        wellInARow += 1;
        return lane;
      }
    }
    wellInARow = 0;
    return (mayBeTroubled ? shiftTroubled() : undefined) ?? lines.well.shift();
  }

  return {
    /** Whether any stand in the line that are slow or fail. */
    hasTroubled(): boolean {
      return !lines.slow.isEmpty() || !lines.failing.isEmpty();
    },
    push(lane: Lane): void {
      if (lane.queued) return;
      lane.queued = true;
      lines[lane.standing()].push(lane);
    },
    /** @param options.troubled whether it may be one that is slow or fails */
    shift({ troubled }: { readonly troubled: boolean }): Lane | undefined {
      const lane = shiftNext(troubled);
      if (lane !== undefined) lane.queued = false;
      return lane;
    },
  };
}

interface Line {
  isEmpty(): boolean;
  push(lane: Lane): void;
  shift(): Lane | undefined;
}

function createLine(): Line {
  let lanes: Lane[] = [];
  let head = 0;
  return {
    isEmpty: () => head === lanes.length,
    push: (lane) => void lanes.push(lane),
    shift() {
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
