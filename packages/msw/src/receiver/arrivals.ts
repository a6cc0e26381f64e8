export interface Arrivals<Arrival> {
  add(arrival: Arrival): void;
  /** The earliest that nobody has taken, as soon as there is one. @throws the signal's reason, or that of `close` */
  take(signal: AbortSignal | undefined): Promise<Arrival>;
  /** Those who wait get this error. */
  close(reason: Error): void;
}

interface Taker<Arrival> {
  readonly receive: (arrival: Arrival) => void;
  readonly refuse: (reason: unknown) => void;
}

/** A queue whose takers wait without polling. */
export function createArrivals<Arrival>(): Arrivals<Arrival> {
  const arrived: Arrival[] = [];
  const takers = new Set<Taker<Arrival>>();
  return {
    add(arrival) {
      const [taker] = takers;
      if (taker === undefined) arrived.push(arrival);
      else taker.receive(arrival);
    },
    async take(signal) {
      signal?.throwIfAborted();
      const first = arrived.shift();
      if (first !== undefined) return first;
      return new Promise<Arrival>((resolve, reject) => {
        const leave = (): void => {
          takers.delete(taker);
          signal?.removeEventListener("abort", giveUp);
        };
        const taker: Taker<Arrival> = {
          receive(arrival) {
            leave();
            resolve(arrival);
          },
          refuse(reason) {
            leave();
            reject(reason);
          },
        };
        const giveUp = (): void => taker.refuse(signal?.reason);
        takers.add(taker);
        signal?.addEventListener("abort", giveUp, { once: true });
      });
    },
    close(reason) {
      for (const taker of takers) taker.refuse(reason);
    },
  };
}
