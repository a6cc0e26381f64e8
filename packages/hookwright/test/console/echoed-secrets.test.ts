import { createServer } from "node:http";
import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";
import { listenLocally } from "../support/listen-locally.ts";

const token = "Z2F0ZXdheTpvcGVuLXNlc2FtZQ==";

/** An endpoint that shows every request in its response, as debugging pages do. */
async function openEcho() {
  const server = createServer((request, response) => {
    const { authorization = "" } = request.headers;
    const password = Buffer.from(authorization.slice(6), "base64").toString();
    response.writeHead(302, {
      location: `/login?credentials=${encodeURIComponent(password)}`,
      "x-got": authorization,
    });
    response.end(JSON.stringify({ headers: request.headers, password }));
  });
  return listenLocally(server);
}

it("own headers that an endpoint echoes are neither stored nor shown: events and tests", async () => {
  const store = memoryStore();
  await using echo = await openEcho();
  await using world = await openConsole({ store });
  const { path } = await world.createWebhook(echo.origin);
  await world.ask(`PATCH ${path}`, { headers: { Authorization: `Basic ${token}` } });
  const [delivery] = await world.publish("rev_1");
  await world.settled();
  const logged = (await world.ask(`GET /console/api/deliveries/${delivery}`)).data;
  const tested = (await world.ask(`POST ${path}/test`)).data;
  expect(tested).toMatchObject({
    status: 302,
    headers: { "x-got": "Basic (hidden)", location: "/login?credentials=gateway%3A(hidden)" },
    excerpt: expect.stringContaining('"password":"(hidden)"'),
    detail: expect.stringContaining("Location /login?credentials=gateway%3A(hidden)"),
  });
  const rows = await store.list({ prefix: [partitionOf("acc_1")], limit: 10_000 });
  const texts = [JSON.stringify(logged), JSON.stringify(tested), ...rows.map(({ value }) => value)].join(
    "\n",
  );
  expect(texts).toContain("Basic (hidden)");
  expect(texts).not.toContain(token);
  expect(texts).not.toContain("open-sesame");
});

it("a signing secret that the creation brought is hidden too, whatever its form", async () => {
  const own = "a-secret/of+another=sender!";
  const echo = createServer((_, response) => response.end(`HOOK_SECRET=${own};`));
  await using endpoint = await listenLocally(echo);
  await using world = await openConsole();
  const { path } = await world.createWebhook(endpoint.origin, { signing_secret: own });
  const [delivery] = await world.publish("rev_1");
  await world.settled();
  const logged = (await world.ask(`GET /console/api/deliveries/${delivery}`)).data;
  const tested = (await world.ask(`POST ${path}/test`)).data;
  expect(tested).toMatchObject({ excerpt: "HOOK_SECRET=(hidden);" });
  expect(logged).toMatchObject({ attempts: [{ excerpt: "HOOK_SECRET=(hidden);" }] });
});
