import { startProgram } from "./program.ts";

export interface TimingReceiver extends AsyncDisposable {
  /** Accepts immediately. */
  readonly healthyOrigin: string;
  /** Never responds. Its senders time out after ten seconds. */
  readonly hangingOrigin: string;
  /**
   * The arrival times of deliveries since the last call, by their id, in milliseconds of the machine's monotonic clock.
   */
  arrivals(): Promise<ReadonlyMap<string, number>>;
}

export async function openTimingReceiver(): Promise<TimingReceiver> {
  const program = startProgram(new URL("timing-receiver.ts", import.meta.url));
  const { healthy, hanging } = await program.nextMessage();
  return {
    healthyOrigin: `http://127.0.0.1:${healthy}`,
    hangingOrigin: `http://127.0.0.1:${hanging}`,
    arrivals: async () => new Map(await program.request("arrivals")),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
