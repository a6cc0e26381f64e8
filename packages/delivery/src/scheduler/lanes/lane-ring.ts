import type { Standing } from "./earned-room.ts";
import type { Lane } from "./lane.ts";

/** Who has turns at a pace comes to one of them after so many others at the latest. */
const unpacedAtOnce = 16;
/** Where some fail, so many turns of those that are slow come before each of theirs: what is slow is delivered, what fails is not. */
const slowInARow = 3;

/** Whose turn it is, and whether it is one of those that come at a pace. */
export interface NextLane {
  readonly lane: Lane;
  readonly isPaced: boolean;
}

/**
 * Lanes that have work and room, in turn. A lane takes one turn and goes to the end. Each standing is a line of its own: a thousand
 * that fail, each with a backlog, would be a thousand turns before that of a lane that does well, or is only slow. Of those that are
 * not well one that has just accepted again goes first: it is the next answer that tells whether it has recovered. One that is slow and may
 * go unpaced stands in a line for that as well, and keeps its place in that of the slow: it is for its backlog.
 */
export function createLaneRing() {
  const lines: Readonly<Record<Standing, Line>> = {
    well: createLine(),
    recovering: createLine(),
    slow: createLine(),
    failing: createLine(),
  };
  const unpacedLine = createLine();
  let unpacedInARow = 0;
  let slowSinceFailing = 0;
  let lastTicket = 0;

  /** The next of a line. Who has changed to another since has another number, also where it has come back. */
  function shiftLine(standing: Standing): Lane | undefined {
    const line = lines[standing];
    for (;;) {
      const ticket = line.nextTicket();
      const lane = line.shift();
      if (lane === undefined) return undefined;
      if (lane.ticket !== ticket) continue;
      lane.line = undefined;
      lane.ticket = 0;
      return lane;
    }
  }

  function shiftPaced(): Lane | undefined {
    const recovering = shiftLine("recovering");
    if (recovering !== undefined) return recovering;
    const slow = slowSinceFailing < slowInARow ? shiftLine("slow") : undefined;
    slowSinceFailing = slow === undefined ? 0 : slowSinceFailing + 1;
    return slow ?? shiftLine("failing") ?? shiftLine("slow");
  }

  /** Those that do well and those that are slow take turns. */
  function shiftUnpaced(): Lane | undefined {
    const isSlowFirst = unpacedInARow % 2 === 1;
    return (
      (isSlowFirst ? shiftSlowUnpaced() : undefined) ??
      shiftLine("well") ??
      (isSlowFirst ? undefined : shiftSlowUnpaced())
    );
  }

  function shiftSlowUnpaced(): Lane | undefined {
    const lane = unpacedLine.shift();
    if (lane !== undefined) lane.isInUnpacedLine = false;
    return lane;
  }

  return {
    /** Whether any stand in line whose turns are paced. */
    hasPaced(): boolean {
      return !lines.recovering.isEmpty() || !lines.slow.isEmpty() || !lines.failing.isEmpty();
    },
    /** Gives it a place at the end of its line. One whose standing has changed leaves that of the line it stood in. */
    push(lane: Lane): void {
      const standing = lane.standing();
      if (lane.line === standing) return;
      lane.line = standing;
      // A small integer, whatever it has come to.
      lane.ticket = lastTicket = (lastTicket + 1) & 0x3fffffff;
      lines[standing].push(lane);
    },
    /** Gives one that is slow and may go unpaced a place for that. It may have lost that, or be slow no more, once its turn comes. */
    pushUnpaced(lane: Lane): void {
      if (lane.isInUnpacedLine) return;
      lane.isInUnpacedLine = true;
      unpacedLine.push(lane);
    },
    /** @param options.paced whether it may be one whose turns are paced */
    shift({ paced }: { readonly paced: boolean }): NextLane | undefined {
      const first = unpacedInARow < unpacedAtOnce ? shiftUnpaced() : undefined;
      if (first !== undefined) {
        unpacedInARow += 1;
        return { lane: first, isPaced: false };
      }
      unpacedInARow = 0;
      const lane = paced ? shiftPaced() : undefined;
      if (lane !== undefined) return { lane, isPaced: true };
      const last = shiftUnpaced();
      return last && { lane: last, isPaced: false };
    },
  };
}

interface Line {
  isEmpty(): boolean;
  /** With the ticket it has now. */
  push(lane: Lane): void;
  nextTicket(): number | undefined;
  shift(): Lane | undefined;
}

function createLine(): Line {
  let lanes: Lane[] = [];
  let tickets: number[] = [];
  let head = 0;
  return {
    isEmpty: () => head === lanes.length,
    push(lane) {
      lanes.push(lane);
      tickets.push(lane.ticket);
    },
    nextTicket: () => tickets[head],
    shift() {
      const lane = lanes[head];
      if (lane === undefined) return undefined;
      head += 1;
      // Shifting an array moves all of it: drop the used part only when it is most of it.
      if (head > 1_024 && head * 2 > lanes.length) {
        lanes = lanes.slice(head);
        tickets = tickets.slice(head);
        head = 0;
      }
      return lane;
    },
  };
}
