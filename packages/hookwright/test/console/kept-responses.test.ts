import { once } from "node:events";
import { createServer } from "node:net";
import { keys } from "@hookwright/delivery";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";

/** 15 KiB of headers and 4 KiB of body: as much as a response may have. */
const response = [
  "HTTP/1.1 200 OK",
  ...Array.from({ length: 15 }, (_, index) => `X-Filler-${index}: ${"f".repeat(1_000)}`),
  "Content-Length: 4096",
  "",
  "b".repeat(4_096),
].join("\r\n");

it("of each response 2 KiB of headers and 2 KiB of body are kept: events, resends and tests", async () => {
  const endpoint = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.write(response));
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const address = endpoint.address();
  const port = typeof address === "object" ? address?.port : 0;
  const store = memoryStore();
  {
    await using world = await openConsole({ store });
    const { data } = await world.ask("POST /console/api/webhooks", {
      event: "review.submitted",
      target_url: `http://127.0.0.1:${port}/hook`,
    });
    const [published] = await world.publish("rev_1");
    await world.settled();
    await world.ask(`POST /console/api/deliveries/${published}/resend`);
    await world.ask(`POST /console/api/webhooks/${String(data["id"])}/test`);
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
  // What the log holds of a delivery beside the response is less than 2 KiB.
  for (const { value } of await store.list({ prefix: keys.deliveries("acc_1"), limit: 10 }))
    expect(value.length).toBeLessThan(6 * 1_024);
  endpoint.close();
});
