import { startProgram } from "./program.ts";

export interface ReceiverCounts {
  readonly received: number;
  readonly distinct: number;
}

export interface Receiver extends AsyncDisposable {
  readonly origin: string;
  counts(): Promise<ReceiverCounts>;
  /** Forgets what was counted. */
  reset(): Promise<void>;
}

/** Starts the receiver process and waits until it listens. */
export async function openReceiver(): Promise<Receiver> {
  const program = startProgram(new URL("receiver.ts", import.meta.url));
  const { port } = await program.said();
  return {
    origin: `http://127.0.0.1:${port}`,
    counts: () => program.ask("counts"),
    async reset() {
      await program.ask("reset");
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
