import { startProgram } from "./program.ts";

export interface TimingReceiver extends AsyncDisposable {
  /** Accepts at once. */
  readonly healthyOrigin: string;
  /** Answers nothing: its senders give up after ten seconds. */
  readonly hangingOrigin: string;
  /** When deliveries came since the last call, by their id, in milliseconds of the machine's monotonic clock. */
  arrivals(): Promise<ReadonlyMap<string, number>>;
}

export async function openTimingReceiver(): Promise<TimingReceiver> {
  const program = startProgram(new URL("timing-receiver.ts", import.meta.url));
  const { healthy, hanging } = await program.said();
  return {
    healthyOrigin: `http://127.0.0.1:${healthy}`,
    hangingOrigin: `http://127.0.0.1:${hanging}`,
    arrivals: async () => new Map(await program.ask("arrivals")),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
