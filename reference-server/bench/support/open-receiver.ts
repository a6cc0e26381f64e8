import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

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
  const child = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)));
  const [{ port }] = await once(child, "message");
  const ask = async (message: string): Promise<ReceiverCounts> => {
    child.send(message);
    const [answer] = await once(child, "message");
    return answer;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    counts: () => ask("counts"),
    async reset() {
      await ask("reset");
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
