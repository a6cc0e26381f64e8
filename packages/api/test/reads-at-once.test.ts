import type { SharedDelivery } from "@hookwright/domain";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { ApiOptions } from "../src/options.ts";
import { readLimits } from "../src/routing/read-gate.ts";
import { call, codeOf, toAnswered } from "./support/call.ts";
import type { Answered } from "./support/call.ts";
import { listen, openConnection } from "./support/listen.ts";
import { hostToken, openApi } from "./support/open-api.ts";
import { openService } from "./support/open-service.ts";

const [ofProcess, { running = 0, waiting = 0 }] = readLimits.scan;
const crowd = running + waiting;
const path = "/developer/v1/deliveries";

/** An API whose `GET /developer/v1/deliveries` ends when the test says so, with a key for each account. */
async function openBusy(accountIds: readonly string[], options: Partial<ApiOptions> = {}) {
  const service = openService();
  const keys = new Map<string, string>();
  for (const accountId of accountIds) {
    await service.accounts.put(accountId, { email: `${accountId}@example.com` });
    keys.set(accountId, (await service.apiKeys.create(accountId, { name: "Key" })).api_key);
  }
  const scans: { readonly accountId: string; readonly end: () => void }[] = [];
  function scan<Result>(accountId: string, result: Result): Promise<Result> {
    return new Promise((resolve) => scans.push({ accountId, end: () => resolve(result) }));
  }
  const { developer } = service;
  const shared: SharedDelivery = JSON.parse("{}");
  const stats = await service.stats();
  const api = await openApi({
    service: {
      ...service,
      shares: { ...service.shares, open: () => scan("public", shared) },
      stats: () => scan("host", stats),
      accounts: {
        ...service.accounts,
        remove: (id) => scan("removal", { id, deleted: true as const }),
      },
      developer: {
        ...developer,
        listDeliveries: ({ accountId }) =>
          scan(accountId, { rows: [], meta: { has_more: false, next_cursor: null } }),
      },
    },
    ...options,
  });
  const keyOf = (accountId: string): string => keys.get(accountId) ?? "";
  async function ask(target: string, token: string, signal?: AbortSignal): Promise<Answered> {
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request(`http://localhost${target}`, { headers, signal: signal ?? null });
    return toAnswered(await api.fetch(request));
  }
  return {
    api,
    keyOf,
    ask,
    /** The accounts of the scans that have started. */
    started: () => scans.map(({ accountId }) => accountId),
    list: (accountId: string, signal?: AbortSignal) => ask(path, keyOf(accountId), signal),
    /** Ends the scans that have started, and every one after them. */
    async endAll(): Promise<void> {
      for (let ended = 0; ended < scans.length; ended++) {
        scans[ended]?.end();
        await settle();
      }
    },
  };
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await nextTurn();
}

it("an account scans twice at once, and its other scans wait", async () => {
  const { list, started, endAll } = await openBusy(["acc_a"]);
  const all = Array.from({ length: 5 }, () => list("acc_a"));
  await settle();
  expect(started()).toEqual(["acc_a", "acc_a"]);
  await endAll();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

it("a scan is refused if too many of its account wait", async () => {
  const verdict = { allowed: true, limit: 200, remaining: 9, resetSeconds: 60, retryAfterSeconds: 0 };
  const { api, list, started, endAll } = await openBusy(["acc_a"], {
    rateLimiters: { requests: { take: async () => verdict } },
  });
  const all = Array.from({ length: crowd }, () => list("acc_a"));
  await settle();
  const refused = await list("acc_a");
  expect([refused.status, codeOf(refused)]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(refused.headers.get("ratelimit")).toContain('"default"');
  expect(started()).toHaveLength(running);
  await endAll();
  for (const { status } of await Promise.all(all)) expect(status).toBe(200);
  expect(api.log).toEqual([]);
});

it("an account that scans delays neither its other requests nor the scans of another account", async () => {
  const { ask, keyOf, list, started, endAll } = await openBusy(["acc_a", "acc_b"]);
  const all = Array.from({ length: crowd }, () => list("acc_a"));
  await settle();
  expect((await ask("/v1/me", keyOf("acc_a"))).status).toBe(200);
  const other = list("acc_b");
  await settle();
  expect(started()).toEqual(["acc_a", "acc_a", "acc_b"]);
  await endAll();
  await Promise.all([...all, other]);
});

it("the host scans twice at once, beside the accounts", async () => {
  const { ask, list, started, endAll } = await openBusy(["acc_a"]);
  const all = [
    ...Array.from({ length: 5 }, () => list("acc_a")),
    ...Array.from({ length: 5 }, () => ask("/host/v1/stats", hostToken)),
  ];
  await settle();
  expect(started().toSorted()).toEqual(["acc_a", "acc_a", "host", "host"]);
  await endAll();
  await Promise.all(all);
});

it("links to deliveries open as many at once as one account may read, and delay nobody else", async () => {
  const { api, list, started, endAll } = await openBusy(["acc_a"]);
  const [, { running: ofAccount = 0 }] = readLimits.page;
  const all = Array.from({ length: 20 }, () => call(api, "GET /console/api/shared/hws_1"));
  await settle();
  expect(started()).toEqual(Array(ofAccount).fill("public"));
  all.push(list("acc_a"));
  await settle();
  expect(started().at(-1)).toBe("acc_a");
  await endAll();
  for (const { status } of await Promise.all(all)) expect(status).toBe(200);
});

it("removals of accounts, which wait for attempts, take no place from the scans of the host", async () => {
  const { api, ask, started, endAll } = await openBusy([]);
  const removed = Array.from({ length: 9 }, () =>
    call(api, "DELETE /host/v1/accounts/acc_a", { token: hostToken }),
  );
  await settle();
  expect(started()).toEqual(Array(8).fill("removal"));
  const stats = ask("/host/v1/stats", hostToken);
  await settle();
  expect(started().at(-1)).toBe("host");
  await endAll();
  for (const { status } of await Promise.all([...removed, stats])) expect(status).toBe(200);
});

it("a process runs sixteen scans at once, and refuses the crowd, not a newcomer", async () => {
  const crowded = Array.from({ length: 12 }, (_, number) => `acc_${number}`);
  const { list, started, endAll } = await openBusy([...crowded, "acc_new"]);
  const all = crowded.flatMap((accountId) => Array.from({ length: crowd }, () => list(accountId)));
  await settle();
  expect(started()).toHaveLength(ofProcess.running ?? 0);
  const newcomer = list("acc_new");
  await settle();
  await endAll();
  expect((await newcomer).status).toBe(200);
  expect((await Promise.all(all)).filter(({ status }) => status === 429).length).toBeGreaterThan(0);
});

it("a scan leaves the queue when its client closes the connection", async () => {
  const { api, keyOf, list, started, endAll } = await openBusy(["acc_a"]);
  let received = 0;
  await using server = await listen((request, response) => {
    received += 1;
    return api.handler(request, response);
  });
  const first = Array.from({ length: running }, () => list("acc_a"));
  await settle();
  const connections = Array.from({ length: waiting }, () => openConnection(server.port));
  for (const { send } of connections)
    send(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${keyOf("acc_a")}\r\n\r\n`);
  // Before that, a call of `isFull` could take the place of one of them.
  await expect.poll(() => received).toBe(waiting);
  const isFull = async (): Promise<boolean> => {
    const controller = new AbortController();
    const asked = list("acc_a", controller.signal);
    await settle();
    // Without a place in the queue it has its answer.
    controller.abort();
    return (await asked).status === 429;
  };
  await expect.poll(isFull).toBe(true);
  for (const { socket } of connections) socket.destroy();
  await expect.poll(isFull).toBe(false);
  const last = list("acc_a");
  await settle();
  await endAll();
  expect((await last).status).toBe(200);
  await Promise.all(first);
  expect(started()).toHaveLength(running + 1);
  expect(api.log).toEqual([]);
});
