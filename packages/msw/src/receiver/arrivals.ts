export interface Arrivals<Arrival> {
  add(arrival: Arrival): void;
  /** The earliest that nobody has taken, as soon as there is one. @throws the signal's reason */
  take(signal: AbortSignal | undefined): Promise<Arrival>;
  clear(): void;
}

/** A queue whose takers wait without polling. */
export function createArrivals<Arrival>(): Arrivals<Arrival> {
  let arrived: readonly Arrival[] = [];
  const takers = new Set<(arrival: Arrival) => void>();
  return {
    add(arrival) {
      const [taker] = takers;
      if (taker === undefined) arrived = [...arrived, arrival];
      else taker(arrival);
    },
    async take(signal) {
      signal?.throwIfAborted();
      const [first, ...rest] = arrived;
      if (first !== undefined) {
        arrived = rest;
        return first;
      }
      return new Promise<Arrival>((resolve, reject) => {
        const leave = (): void => {
          takers.delete(receive);
          signal?.removeEventListener("abort", giveUp);
        };
        const receive = (arrival: Arrival): void => {
          leave();
          resolve(arrival);
        };
        const giveUp = (): void => {
          leave();
          reject(signal?.reason);
        };
        takers.add(receive);
        signal?.addEventListener("abort", giveUp, { once: true });
      });
    },
    clear() {
      arrived = [];
    },
  };
}
