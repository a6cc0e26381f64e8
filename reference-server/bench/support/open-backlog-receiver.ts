import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface BacklogReceiver extends AsyncDisposable {
  readonly failingOrigin: string;
  readonly slowOrigin: string;
  /** How many deliveries have come since the last call. */
  deliveries(): Promise<number>;
}

export async function openBacklogReceiver(): Promise<BacklogReceiver> {
  // V8's threads would keep their priority when the process lowers its own: it has none.
  const execArgv = ["--single-threaded"];
  const child = fork(fileURLToPath(new URL("backlog-receiver.ts", import.meta.url)), { execArgv });
  const [{ failing, slow }] = await once(child, "message");
  return {
    failingOrigin: `http://127.0.0.1:${failing}`,
    slowOrigin: `http://127.0.0.1:${slow}`,
    async deliveries() {
      child.send("deliveries");
      const [deliveries] = await once(child, "message");
      return deliveries;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
