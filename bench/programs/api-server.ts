import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { createHookwright } from "hookwright";
import { benchSecret, createBenchAccount } from "../harness/deliver.ts";
import { quietLogger } from "../harness/quiet-logger.ts";
import { sampleOrder } from "../harness/sample-order.ts";
import { openBenchStore } from "../harness/storages.ts";

/**
 * A server in a separate process that returns orders: a bare h3 route, or the whole API over the storage of its argument. Its first
 * message is its port, the path of an order, and the headers of requests. The response to each message of the parent is the CPU time so far.
 */
const [storage = ""] = process.argv.slice(2);
const orders = Array.from({ length: 100 }, (_, number) => sampleOrder(number));
const order = sampleOrder(0);
const path = `/v1/orders/${order.id}`;

function serveBare(): RequestListener {
  const app = new H3();
  app.get("/v1/orders/:id", () => ({ success: true, data: order }));
  return toNodeHandler(app);
}

const store = storage === "bare" ? undefined : await openBenchStore(storage);
const options = { secret: benchSecret, rateLimitPerMinute: 1_000_000_000, logger: quietLogger };
const hookwright = store && (await createHookwright({ store, ...options }));
let headers = {};
if (hookwright !== undefined) {
  await createBenchAccount(hookwright, []);
  for (const data of orders)
    await hookwright.publish({ event: "order.created", project_id: "site_bench", data });
  const { api_key: key } = await hookwright.apiKeys.create("acc_bench", { name: "bench" });
  headers = { authorization: `Bearer ${key}` };
}

const server = createServer(hookwright?.handler ?? serveBare());
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.send?.({ port, path, headers });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on("disconnect", async () => {
  await hookwright?.close();
  await store?.close();
  process.exit(0);
});
