import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { createHookwright } from "hookwright";
import { sampleOrder } from "./sample-order.ts";

/**
 * A server in a separate process that returns one order: a bare h3 route, or the whole API over a storage. Its first
 * message is its port. The response to each message of the parent is the CPU time so far.
 */
const order = sampleOrder(1);
const path = `/v1/orders/${order.id}`;

interface Served {
  readonly handler: RequestListener;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

function serveBare(): Served {
  const app = new H3();
  app.get("/v1/orders/:id", () => ({ success: true, data: order }));
  return { handler: toNodeHandler(app), headers: {}, close: async () => {} };
}

async function serveApi(store: Store): Promise<Served> {
  const hookwright = await createHookwright({
    store,
    secret: "s".repeat(32),
    rateLimitPerMinute: 1_000_000_000,
  });
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
  await hookwright.publish({ event: "order.created", project_id: "site_bench", data: order });
  const { api_key: key } = await hookwright.apiKeys.create("acc_bench", { name: "bench" });
  return {
    handler: hookwright.handler,
    headers: { authorization: `Bearer ${key}` },
    async close() {
      await hookwright.close();
      await store.close();
    },
  };
}

async function serveDirectory(): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  const served = await serveApi(await openFilesystemStore({ directory }));
  return {
    ...served,
    async close() {
      await served.close();
      await rm(directory, { recursive: true });
    },
  };
}

const servers: Readonly<Record<string, () => Served | Promise<Served>>> = {
  bare: serveBare,
  memory: () => serveApi(memoryStore()),
  filesystem: serveDirectory,
};

const [kind = ""] = process.argv.slice(2);
const served = await servers[kind]?.();
if (served === undefined) throw new Error(`there is no server with the name "${kind}"`);
const { handler, headers } = served;
const server = createServer(handler);
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.send?.({ port, path, headers });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.on("disconnect", () => void served.close().then(() => process.exit(0)));
