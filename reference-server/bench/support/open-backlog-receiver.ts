import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface BacklogReceiver extends AsyncDisposable {
  readonly healthyUrl: string;
  readonly failingOrigin: string;
  readonly slowOrigin: string;
  /** Since the last call: when healthy deliveries came, by id, and how many deliveries the bad endpoints have met. */
  report(): Promise<{ readonly arrivals: ReadonlyMap<string, number>; readonly answersOfBad: number }>;
}

export async function openBacklogReceiver(): Promise<BacklogReceiver> {
  const child = fork(fileURLToPath(new URL("backlog-receiver.ts", import.meta.url)), { execArgv: [] });
  const [{ healthy, failing, slow }] = await once(child, "message");
  return {
    healthyUrl: `http://127.0.0.1:${healthy}/healthy`,
    failingOrigin: `http://127.0.0.1:${failing}`,
    slowOrigin: `http://127.0.0.1:${slow}`,
    async report() {
      child.send("report");
      const [{ arrivals, answersOfBad }] = await once(child, "message");
      return { arrivals: new Map(arrivals), answersOfBad };
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
