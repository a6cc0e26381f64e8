import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface TimingReceiver extends AsyncDisposable {
  /** Accepts at once. */
  readonly healthyOrigin: string;
  /** Answers nothing: its senders give up after ten seconds. */
  readonly hangingOrigin: string;
  /** When deliveries came since the last call, by their id, in milliseconds of the machine's monotonic clock. */
  arrivals(): Promise<ReadonlyMap<string, number>>;
}

export async function openTimingReceiver(): Promise<TimingReceiver> {
  const child = fork(fileURLToPath(new URL("timing-receiver.ts", import.meta.url)));
  const [{ healthy, hanging }] = await once(child, "message");
  return {
    healthyOrigin: `http://127.0.0.1:${healthy}`,
    hangingOrigin: `http://127.0.0.1:${hanging}`,
    async arrivals() {
      child.send("arrivals");
      const [arrivals] = await once(child, "message");
      return new Map(arrivals);
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
