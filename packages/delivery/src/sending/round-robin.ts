/** A flow of the round robin. */
export interface Flow {
  /** The number of its last turn. It begins with 0. */
  lastTurn: number;
}

/**
 * Flows that have work, each served once per round.
 *
 * A flow may be activated ahead of the others, unless it was served since the one that waits longest was activated. So it passes each of
 * them at most once, and none of them waits for more than one turn of each other flow. A flow that
 * cannot start at its turn goes to the end, and its wait begins again.
 */
export function createRoundRobin<Served extends Flow>() {
  const ahead = new Set<Served>();
  /** In order of activation, with the number of turns at that time: deleting and setting a flow moves it to the end. */
  const others = new Map<Served, number>();
  let turns = 0;

  function activate(flow: Served): void {
    if (!ahead.has(flow) && !others.has(flow)) others.set(flow, turns);
  }

  function turnsBeforeWait(): number {
    const [longestWaiting = turns] = others.values();
    return longestWaiting;
  }

  return {
    /** Adds a flow behind all others. Does nothing if it is active already. */
    activate,
    /** Adds a flow ahead of the others, if it may pass them. Does nothing if it is active already. */
    activateAhead(flow: Served): void {
      if (!others.has(flow) && flow.lastTurn <= turnsBeforeWait()) ahead.add(flow);
      else activate(flow);
    },
    /** The number of the last turn before the flow that waits longest was activated. Flows that had a later turn may not pass it. */
    turnsBeforeWait,
    deactivate(flow: Served): void {
      ahead.delete(flow);
      others.delete(flow);
    },
    /** The next flow that can start. It moves behind all others. */
    next(canStart: (flow: Served) => boolean): Served | undefined {
      // Every flow is checked once, so a round in which none can start ends.
      let remaining = ahead.size + others.size;
      for (const flows of [ahead, others.keys()])
        for (const flow of flows) {
          if (remaining-- === 0) return undefined;
          ahead.delete(flow);
          others.delete(flow);
          others.set(flow, turns);
          if (!canStart(flow)) continue;
          flow.lastTurn = turns += 1;
          return flow;
        }
      return undefined;
    },
  };
}
