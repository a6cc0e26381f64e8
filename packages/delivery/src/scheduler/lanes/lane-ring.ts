import type { Standing } from "./earned-room.ts";
import type { Lane } from "./lane.ts";

/** Who is not well comes to a turn after so many others at the latest. */
const othersInARow = 16;
/** Where some fail, so many turns of those that are slow come before each of theirs: what is slow is delivered, what fails is not. */
const slowInARow = 3;

/**
 * Lanes that have work and room, in turn. A lane takes one turn and goes to the end. Each standing is a line of its own: a thousand
 * that fail, each with a backlog, would be a thousand turns before that of a lane that does well, or is only slow. Whose next turn is not
 * paced stands with those that do well. Of the others one that has just accepted again goes first: it is the next answer that tells
 * whether it has recovered.
 */
export function createLaneRing() {
  const lines: Readonly<Record<Standing, Line>> = {
    well: createLine(),
    recovering: createLine(),
    slow: createLine(),
    failing: createLine(),
  };
  let wellInARow = 0;
  let slowSinceFailing = 0;
  let lastTicket = 0;

  /** The next of a line. Who has changed to another since has another number, also where it has come back. */
  function shiftLine(standing: Standing): Lane | undefined {
    const line = lines[standing];
    for (;;) {
      const ticket = line.nextTicket();
      const lane = line.shift();
      if (lane === undefined || lane.ticket === ticket) return lane;
    }
  }

  function shiftPaced(): Lane | undefined {
    const recovering = shiftLine("recovering");
    if (recovering !== undefined) return recovering;
    const slow = slowSinceFailing < slowInARow ? shiftLine("slow") : undefined;
    slowSinceFailing = slow === undefined ? 0 : slowSinceFailing + 1;
    return slow ?? shiftLine("failing") ?? shiftLine("slow");
  }

  function shiftNext(mayBePaced: boolean): Lane | undefined {
    if (wellInARow < othersInARow) {
      const lane = shiftLine("well");
      if (lane !== undefined) {
        wellInARow += 1;
        return lane;
      }
    }
    wellInARow = 0;
    return (mayBePaced ? shiftPaced() : undefined) ?? shiftLine("well");
  }

  return {
    /** Whether any stand in line whose turns are paced. */
    hasPaced(): boolean {
      return !lines.recovering.isEmpty() || !lines.slow.isEmpty() || !lines.failing.isEmpty();
    },
    /** Gives it a place at the end of this line. One that stands in another leaves that. */
    push(lane: Lane, line: Standing): void {
      if (lane.line === line) return;
      lane.line = line;
      // A small integer, whatever it has come to.
      lane.ticket = lastTicket = (lastTicket + 1) & 0x3fffffff;
      lines[line].push(lane);
    },
    /** @param options.paced whether it may be one whose turns are paced */
    shift({ paced }: { readonly paced: boolean }): Lane | undefined {
      const lane = shiftNext(paced);
      if (lane !== undefined) {
        lane.line = undefined;
        lane.ticket = 0;
      }
      return lane;
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
