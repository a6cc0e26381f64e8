import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { publishOrders, startOn, until } from "./support/fleet.ts";
import { call, createAccount, createWebhook } from "./support/host-api.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { makeFolder } from "./support/make-folder.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import type { ServerProcess } from "./support/server-process.ts";

const orders = 1_300;
const password = "correct horse battery";
const since = "2020-01-01T00:00:00Z";

/** Collects the delivery ids of each URL and body id. A delivery may arrive twice if a server dies before it records the response. */
async function startReceiver() {
  const deliveries = new Map<string, Set<string>>();
  let count = 0;
  const server = createServer(async (request, response) => {
    const body: { readonly id: string } = JSON.parse(await text(request));
    const name = `${request.url} ${body.id}`;
    const known = deliveries.get(name) ?? new Set();
    deliveries.set(name, known.add(String(request.headers["x-service-delivery"])));
    count += 1;
    setTimeout(() => response.writeHead(204).end(), 20);
  });
  const listening = await listenLocally(server);
  return {
    url: listening.origin,
    deliveries,
    count: () => count,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

/** An account with a webhook, and a console session of its owner. */
async function openAccount(server: ServerProcess, targetUrl: string) {
  const { apiKey } = await createAccount(server);
  await call(server, "/host/v1/accounts/acc_1", { method: "PUT", body: { password } });
  await call(server, "/host/v1/projects/site_0", {
    method: "PUT",
    body: { account_id: "acc_1", name: "Zero" },
  });
  const { id } = await createWebhook(server, { token: apiKey, url: targetUrl });
  const body = { email: "one@example.com", password };
  const { token } = await call(server, "/console/api/session", { method: "POST", body });
  return { apiKey, webhookId: String(id), token: String(token) };
}

interface Counts {
  readonly all: number;
  readonly cancelled: number;
}

/** The deliveries in the log. */
async function countLog(server: ServerProcess, token: string): Promise<Counts> {
  const counts = { all: 0, cancelled: 0 };
  for (let cursor = ""; ;) {
    const response = await fetch(`${server.url}/console/api/deliveries?limit=100${cursor}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const {
      data,
      meta,
    }: { data: { readonly status: string }[]; meta: { readonly next_cursor: string | null } } = JSON.parse(
      await response.text(),
    );
    counts.all += data.length;
    counts.cancelled += data.filter(({ status }) => status === "cancelled").length;
    if (meta.next_cursor === null) return counts;
    cursor = `&cursor=${meta.next_cursor}`;
  }
}

/** Waits until these deliveries, which are all in the log, are cancelled. Counting the log takes long, so it is counted once. */
async function expectCancelled(server: ServerProcess, token: string, count: number): Promise<void> {
  const url = `${server.url}/console/api/deliveries?status=pending&limit=1`;
  await until(async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return JSON.parse(await response.text()).data.length === 0;
  }, 60_000);
  expect(await countLog(server, token)).toEqual({ all: count, cancelled: count });
}

const storages = [
  {
    name: "files",
    isInstalled: true,
    open: async () => ({ url: `file:${await makeFolder()}`, [Symbol.asyncDispose]: async () => {} }),
  },
  { name: "Redis", isInstalled: hasRedisServer, open: () => startRedisServer() },
  { name: "PostgreSQL", isInstalled: hasPostgresServer, open: () => startPostgresServer() },
];

describe.each(storages)("a recovery on $name", ({ name, isInstalled, open }) => {
  it.runIf(isInstalled)(
    "is continued by another worker when its worker is killed, and creates each delivery once",
    { tags: name === "Redis" ? [] : ["long"], timeout: 120_000 },
    async () => {
      await using storage = await open();
      await using receiver = await startReceiver();
      await using api = await startOn(storage.url, "api");
      const { webhookId, token } = await openAccount(api, receiver.url);
      const act = (name: string, body?: object) =>
        call(api, `/console/api/webhooks/${webhookId}/${name}`, { method: "POST", token, body });
      // Queued deliveries are cancelled when a worker finds their webhook paused.
      await publishOrders([api], { last: orders, sites: 1 });
      await act("pause");
      await using one = await startOn(storage.url, "worker");
      await expectCancelled(api, token, orders);
      // These have no delivery at all.
      await publishOrders([api], { first: orders, last: orders + 500, sites: 1 });
      await act("resume");
      const recovery = await act("recoveries", { since, missed: true });
      await until(() => receiver.count() >= 300);
      await one.kill9();
      const path = `/console/api/recoveries/${String(recovery["id"])}`;
      expect(await call(api, path, { token })).toMatchObject({ status: "running" });
      await using two = await startOn(storage.url, "worker");
      const total = orders + 500;
      await until(async () => (await call(api, path, { token }))["status"] === "finished", 60_000);
      expect(await call(api, path, { token })).toMatchObject({ found: total, resent: total });
      await until(() => receiver.deliveries.size === total, 60_000);
      const perEvent = [...receiver.deliveries.values()].map(({ size }) => size);
      expect([perEvent.length, new Set(perEvent)]).toEqual([total, new Set([1])]);
      expect(await countLog(api, token)).toEqual({ all: orders + total, cancelled: orders });
      await two.stop();
    },
  );

  it.runIf(isInstalled)(
    "with three webhooks is continued after its worker was killed, and creates each delivery once",
    { tags: ["long"], timeout: 120_000 },
    async () => {
      await using storage = await open();
      await using receiver = await startReceiver();
      await using api = await startOn(storage.url, "api");
      const { apiKey, webhookId, token } = await openAccount(api, receiver.url);
      const others = await Promise.all(
        ["second", "third"].map((path) =>
          createWebhook(api, { token: apiKey, url: `${receiver.url}/${path}` }),
        ),
      );
      const webhooks = [webhookId, ...others.map(({ id }) => String(id))];
      const actOnAll = async (name: string): Promise<void> => {
        for (const id of webhooks)
          await call(api, `/console/api/webhooks/${id}/${name}`, { method: "POST", token });
      };
      await publishOrders([api], { last: 500, sites: 1 });
      await actOnAll("pause");
      await using one = await startOn(storage.url, "worker");
      await expectCancelled(api, token, 3 * 500);
      await publishOrders([api], { first: 500, last: 600, sites: 1 });
      await actOnAll("resume");
      const body = { filter: { statuses: ["failed", "cancelled"] }, not_sent: true };
      const job = await call(api, "/console/api/resends", { method: "POST", token, body });
      await until(() => receiver.count() >= 300);
      await one.kill9();
      const path = `/console/api/resends/${String(job["id"])}`;
      expect(await call(api, path, { token })).toMatchObject({ status: "running" });
      await using two = await startOn(storage.url, "worker");
      const total = 3 * 600;
      await until(async () => (await call(api, path, { token }))["status"] === "finished", 60_000);
      expect(await call(api, path, { token })).toMatchObject({ found: total, resent: total, skipped: 0 });
      await until(() => receiver.deliveries.size === total, 60_000);
      const perEvent = [...receiver.deliveries.values()].map(({ size }) => size);
      expect([perEvent.length, new Set(perEvent)]).toEqual([total, new Set([1])]);
      await two.stop();
    },
  );
});
