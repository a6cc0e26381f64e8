import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { benchSecret, createBenchAccount } from "./deliver.ts";
import { quietLogger } from "./quiet-logger.ts";
import { sampleOrder } from "./sample-order.ts";

export interface ReceiptTimes extends AsyncDisposable {
  readonly hookwright: Hookwright;
  /**
   * Publishes orders one after the other. Returns the milliseconds of each from the call of `publish` until the receiver has the whole
   * request.
   */
  measure(samples: number, options?: ReceiptOptions): Promise<number[]>;
}

interface ReceiptOptions {
  /** Between two orders. @default 5 */
  readonly pauseMs?: number;
  /** @default the function of the host */
  readonly publish?: (event: Parameters<Hookwright["publish"]>[0]) => Promise<unknown>;
}

/** Delivers for the account `acc_bench` in the store to a receiver in this process. */
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
  const hookwright = await createHookwright({
    store,
    secret: benchSecret,
    privateTargets: true,
    logger: quietLogger,
  });
  await createBenchAccount(hookwright, [`http://127.0.0.1:${address.port}/`]);
  let published = 0;
  return {
    hookwright,
    async measure(samples, { pauseMs = 5, publish = hookwright.publish } = {}) {
      const latencies: number[] = [];
      while (latencies.length < samples) {
        const start = performance.now();
        const arrival = new Promise<number>(
          (resolve) => (arrived = () => resolve(performance.now() - start)),
        );
        const data = sampleOrder(published++);
        await publish({ event: "order.created", project_id: "site_bench", data });
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
