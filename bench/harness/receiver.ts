import { startProgram } from "./program.ts";

export interface Receiver extends AsyncDisposable {
  /** The origin of the endpoints that behave so. */
  readonly origins: Readonly<Record<"accepting" | "closing" | "hanging" | "failing" | "slow", string>>;
  /** The deliveries since the last reset, and how many different ids they had. */
  counts(): Promise<{ readonly received: number; readonly distinct: number }>;
  /** Resets the counts. */
  reset(): Promise<void>;
  /**
   * The first arrivals since the last call of this or `reset`, by delivery id, in milliseconds of the machine's monotonic clock. Resets the
   * counts too.
   */
  arrivals(): Promise<ReadonlyMap<string, number>>;
}

/** Starts the receiver process and waits until it listens. @param options.nice has the lowest priority */
export async function openReceiver({ nice = false } = {}): Promise<Receiver> {
  // Without V8 threads, because they would keep their priority when the process lowers its own.
  const options = nice ? { args: ["nice"], execArgv: ["--single-threaded"] } : {};
  const program = startProgram(new URL("../programs/receiver.ts", import.meta.url), options);
  return {
    origins: await program.nextMessage(),
    counts: () => program.request("counts"),
    reset: () => program.request("reset"),
    async arrivals() {
      const all: [id: string, atMs: number][] = await program.request("arrivals");
      return new Map(all.toReversed());
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
