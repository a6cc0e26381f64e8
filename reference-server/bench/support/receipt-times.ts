import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createHookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { benchSecret } from "./deliver.ts";
import { sampleOrder } from "./sample-order.ts";

export interface ReceiptTimes extends AsyncDisposable {
  /**
   * Publishes orders one after the other while the condition holds. Returns the milliseconds of each from the call of
   * `publish` until the receiver has the whole request.
   */
  readonly measureWhile: (goesOn: (measured: number) => boolean) => Promise<number[]>;
}

const pauseMs = 5;

/** Creates the account `acc_bench` in the store, and delivers for it to a receiver in this process. */
export async function openReceiptTimes(store: Store): Promise<ReceiptTimes> {
  let arrived = (): void => {};
  const receiver = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      arrived();
      response.writeHead(204).end();
    });
  });
  receiver.keepAliveTimeout = 60_000;
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  const hookwright = await createHookwright({ store, secret: benchSecret, privateTargets: true });
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
  await hookwright.webhooks.create(
    { accountId: "acc_bench", credential: { type: "console" } },
    { event: "order.created", target_url: `http://127.0.0.1:${address.port}/` },
  );
  let published = 0;
  return {
    async measureWhile(goesOn) {
      const latencies: number[] = [];
      while (goesOn(latencies.length)) {
        const start = performance.now();
        const arrival = new Promise<number>(
          (resolve) => (arrived = () => resolve(performance.now() - start)),
        );
        const data = sampleOrder(published++);
        await hookwright.publish({ event: "order.created", project_id: "site_bench", data });
        latencies.push(await arrival);
        await pause(pauseMs);
      }
      return latencies;
    },
    async [Symbol.asyncDispose]() {
      await hookwright.close();
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}
