import { startProgram } from "./program.ts";

export interface ReceiverCounts {
  readonly received: number;
  readonly distinct: number;
}

export interface Receiver extends AsyncDisposable {
  readonly origin: string;
  counts(): Promise<ReceiverCounts>;
  /** Resets the counts. */
  reset(): Promise<void>;
}

/** Starts the receiver process and waits until it listens. */
export async function openReceiver(): Promise<Receiver> {
  const program = startProgram(new URL("receiver.ts", import.meta.url));
  const { port } = await program.nextMessage();
  return {
    origin: `http://127.0.0.1:${port}`,
    counts: () => program.request("counts"),
    async reset() {
      await program.request("reset");
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
