export interface Arrivals<Arrival> {
  add(arrival: Arrival): void;
  /** Resolves with the oldest arrival that was not taken. @throws the reason of the signal or of `close` */
  take(signal: AbortSignal | undefined): Promise<Arrival>;
  /** Rejects all waiting takers with this error. */
  close(reason: Error): void;
}

interface Taker<Arrival> {
  readonly receive: (arrival: Arrival) => void;
  readonly fail: (reason: unknown) => void;
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
        const stopWaiting = (): void => {
          takers.delete(taker);
          signal?.removeEventListener("abort", rejectOnAbort);
        };
        const taker: Taker<Arrival> = {
          receive(arrival) {
            stopWaiting();
            resolve(arrival);
          },
          fail(reason) {
            stopWaiting();
            reject(reason);
          },
        };
        const rejectOnAbort = (): void => taker.fail(signal?.reason);
        takers.add(taker);
        signal?.addEventListener("abort", rejectOnAbort, { once: true });
      });
    },
    close(reason) {
      for (const taker of takers) taker.fail(reason);
    },
  };
}
