import { createServer } from "node:net";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";
import { listenLocally } from "../support/listen-locally.ts";

/** 15 KiB of headers and 4 KiB of body: the maximum size of a response. */
const response = [
  "HTTP/1.1 200 OK",
  ...Array.from({ length: 15 }, (_, index) => `X-Filler-${index}: ${"f".repeat(1_000)}`),
  "Content-Length: 4096",
  "",
  "b".repeat(4_096),
].join("\r\n");

const openEndpoint = () =>
  listenLocally(
    createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.write(response));
    }),
  );

async function bytesKept(store: Store): Promise<number> {
  const entries = await store.list({ prefix: [partitionOf("acc_1"), "delivery", "acc_1"], limit: 10_000 });
  return entries.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
}

it("at most 2 KiB of headers and 2 KiB of body are stored per response: events, resends and tests", async () => {
  await using endpoint = await openEndpoint();
  const store = memoryStore();
  {
    await using world = await openConsole({ store });
    const { path } = await world.createWebhook(endpoint.origin);
    const [published] = await world.publish("rev_1");
    await world.settled();
    await world.ask(`POST /console/api/deliveries/${published}/resend`);
    await world.ask(`POST ${path}/test`);
    await expect
      .poll(async () => (await world.ask("GET /console/api/deliveries?status=delivered")).rows.length)
      .toBe(3);
    const { rows } = await world.ask("GET /console/api/deliveries");
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(["event", "resend", "test"]));
    for (const { id } of rows) {
      const detail = await world.hookwright.deliveries.get("acc_1", String(id));
      const { headers, excerpt } = detail.attempts[0] ?? {};
      expect(excerpt).toBe(`${"b".repeat(2_045)}…`);
      expect(headers?.["x-filler-0"]).toBe(`${"f".repeat(253)}…`);
      expect(headers?.["…"]).toBe("9 more headers");
      expect(Buffer.byteLength(Object.entries(headers ?? {}).join(""))).toBeLessThan(2_100);
    }
  }
  // The rest of a row takes less than 2 KiB.
  expect(await bytesKept(store)).toBeLessThan(3 * 6 * 1_024);
});

it("a log over its size limit is swept immediately", async () => {
  await using endpoint = await openEndpoint();
  const store = memoryStore();
  await using world = await openConsole({ store, deliveryLogMiB: 1 });
  await world.createWebhook(endpoint.origin);
  // About 4.3 KB each, 2.6 MB together.
  for (let record = 0; record < 600; record++) await world.publish(`rev_${record}`);
  await expect.poll(() => world.hookwright.scheduler.stats.recorded).toBe(600);
  await expect.poll(() => bytesKept(store)).toBeLessThan(1.2 * 2 ** 20);
  expect(await bytesKept(store)).toBeGreaterThan(0.5 * 2 ** 20);
});
