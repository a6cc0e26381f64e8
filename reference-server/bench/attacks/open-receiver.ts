import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Received {
  /** The event ids and the first arrival of each, in milliseconds of the machine's monotonic clock. */
  readonly arrivals: readonly (readonly [eventId: string, atMs: number])[];
  /** The number of repeated deliveries. */
  readonly repeated: number;
  /** The number of deliveries with a wrong signature. */
  readonly forged: number;
}

export interface VerifyingReceiver extends AsyncDisposable {
  readonly origin: string;
  verifyWith(signingSecret: string): void;
  received(): Promise<Received>;
}

export async function openVerifyingReceiver(): Promise<VerifyingReceiver> {
  const child = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)));
  const ended = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  const [{ origin }] = await once(child, "message");
  return {
    origin: String(origin),
    verifyWith: (secret) => void child.send(secret),
    async received() {
      const answered = once(child, "message");
      child.send("received");
      const [received] = await answered;
      return received;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
