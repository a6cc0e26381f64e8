/**
 * Flows that have work, each served once per round.
 *
 * A `Set` is a queue in order of insertion: deleting and adding a flow moves it to the end.
 */
export function createRoundRobin<Flow>() {
  const active = new Set<Flow>();
  return {
    /** Adds a flow behind all others. Does nothing if it is active already. */
    activate: (flow: Flow): void => void active.add(flow),
    deactivate: (flow: Flow): void => void active.delete(flow),
    /** The next flow that can start. It moves behind all others. */
    next(canStart: (flow: Flow) => boolean): Flow | undefined {
      // Every flow is checked once, so a round in which none can start ends.
      let remaining = active.size;
      for (const flow of active) {
        if (remaining-- === 0) return undefined;
        active.delete(flow);
        active.add(flow);
        if (canStart(flow)) return flow;
      }
      return undefined;
    },
  };
}
