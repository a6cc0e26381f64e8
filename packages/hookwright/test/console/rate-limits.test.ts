import { sampleDeliveryBody } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { afterEach, describe, expect, it } from "vitest";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { Hookwright } from "../../src/create-hookwright.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { openSession } from "../support/open-session.ts";

const opened: Hookwright[] = [];
afterEach(async () => {
  for (const hookwright of opened.splice(0)) await hookwright.close();
});

/** Two processes with one store, an account with one delivery, and its console token. */
async function openWorld(options: Partial<HookwrightOptions> = {}) {
  let time = 1_790_000_000_000;
  const now = (): number => time;
  const store = memoryStore({ now });
  const open = async (): Promise<Hookwright> => {
    const hookwright = await createHookwright({
      store,
      secret: "s".repeat(32),
      role: "api",
      consoleTokenSeconds: 86_400,
      now,
      ...options,
    });
    opened.push(hookwright);
    return hookwright;
  };
  const hookwright = await open();
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const { webhook } = await hookwright.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "order.created", target_url: "https://example.com/hook" },
  );
  const { deliveries } = await hookwright.publish({
    event: "order.created",
    project_id: "site_1",
    data: { ...sampleDeliveryBody("order.created").data, id: "ord_1" },
  });
  const token = await openSession(hookwright);
  const { api_key: apiKey } = await hookwright.apiKeys.create("acc_1", { name: "Test" });

  async function ask(
    target: string,
    { from = hookwright, as = token, json }: { from?: Hookwright; as?: string; json?: object } = {},
  ): Promise<Response> {
    const [method = "GET", path = "/"] = target.split(" ", 2);
    const headers = { authorization: `Bearer ${as}`, ...(json && { "content-type": "application/json" }) };
    const body = json === undefined ? null : JSON.stringify(json);
    return from.fetch(new Request(`http://localhost${path}`, { method, headers, body }));
  }
  /** Sends this many requests one after the other and returns their status codes. */
  async function askTimes(times: number, target: string): Promise<Map<number, number>> {
    const statuses = new Map<number, number>();
    for (let request = 0; request < times; request++) {
      const { status } = await ask(target);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    return statuses;
  }
  const delivery = deliveries[0] ?? "";
  return {
    hookwright,
    other: open,
    apiKey,
    ask,
    askTimes,
    delivery,
    resend: `POST /console/api/deliveries/${delivery}/resend`,
    test: `POST /console/api/webhooks/${webhook.id}/test`,
    advance: (ms: number) => void (time += ms),
  };
}

async function readError(response: Response): Promise<unknown> {
  return JSON.parse(await response.text()).error;
}

describe("the console API", () => {
  it("serves 600 requests of an account per minute over all processes, and refuses the next", async () => {
    const { ask, askTimes, other, advance } = await openWorld();
    expect(await askTimes(599, "GET /console/api/keys")).toEqual(new Map([[200, 599]]));
    const last = await ask("GET /console/api/webhooks", { from: await other() });
    expect(last.status).toBe(200);
    expect(last.headers.get("ratelimit-policy")).toBe('"console";q=600;w=60');
    expect(last.headers.get("ratelimit")).toBe('"console";r=0;t=60');
    const refused = await ask("GET /console/api/keys");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await readError(refused)).toEqual({
      code: "rate_limited",
      message: "More than 600 requests to the console API in a minute. Try again in 60 seconds.",
    });
    advance(60_000);
    expect((await ask("GET /console/api/keys")).headers.get("ratelimit")).toBe('"console";r=599;t=60');
  });

  it("has a separate count from /v1", async () => {
    const { ask, askTimes } = await openWorld({ rateLimitPerMinute: 5, consoleRateLimitPerMinute: 3 });
    expect(await askTimes(6, "GET /v1/me")).toEqual(
      new Map([
        [200, 5],
        [429, 1],
      ]),
    );
    expect(await askTimes(4, "GET /console/api/keys")).toEqual(
      new Map([
        [200, 3],
        [429, 1],
      ]),
    );
    expect((await ask("GET /v1/me")).headers.get("ratelimit-policy")).toBe('"default";q=5;w=60');
  });

  it("has what each page of the console needs, outside the limit of /v1", async () => {
    const { ask } = await openWorld({ rateLimitPerMinute: 5, retentionDays: 7 });
    for (const path of ["account", "projects", "event-types"])
      expect((await ask(`GET /console/api/${path}`)).status).toBe(200);
    const { data: limit } = JSON.parse(await (await ask("GET /console/api/rate-limit")).text());
    expect(limit).toMatchObject({ limit: 5, remaining: 5 });
    const { data: account } = JSON.parse(await (await ask("GET /console/api/account")).text());
    expect(account).toMatchObject({
      email: "owner@example.com",
      limits: { requests_per_minute: 5, console_requests_per_minute: 600, webhooks: 50, api_keys: 100 },
      retention: { days: 7, requests: 10_000 },
    });
  });

  it("counts each account separately", async () => {
    const { hookwright, ask, askTimes } = await openWorld({ consoleRateLimitPerMinute: 2 });
    await hookwright.accounts.put("acc_2", { email: "other@example.com" });
    const token = await openSession(hookwright, "acc_2");
    await askTimes(3, "GET /console/api/keys");
    expect((await ask("GET /console/api/keys", { as: token })).status).toBe(200);
  });
});

describe("resends and tests", () => {
  it("are limited to 60 per minute together", async () => {
    const { ask, askTimes, resend, test, advance } = await openWorld();
    expect(await askTimes(59, resend)).toEqual(new Map([[201, 59]]));
    const tested = await ask(test);
    expect(tested.status).not.toBe(429);
    expect(tested.headers.get("ratelimit-policy")).toBe('"console";q=600;w=60, "sends";q=60;w=60');
    expect(tested.headers.get("ratelimit")).toBe('"console";r=540;t=60, "sends";r=0;t=60');
    for (const target of [resend, test]) {
      const refused = await ask(target);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
      expect(refused.headers.get("ratelimit")).toBe('"sends";r=0;t=60');
      expect(await readError(refused)).toEqual({
        code: "rate_limited",
        message: "More than 60 resends and tests in a minute. Try again in 60 seconds.",
      });
    }
    expect((await ask("GET /console/api/keys")).status).toBe(200);
    advance(60_000);
    expect((await ask(resend)).status).toBe(201);
  });

  it("a job counts, and a dry run of one does not", async () => {
    const { ask } = await openWorld({ sendsPerMinute: 1 });
    const start = (others: object) =>
      ask("POST /console/api/resends", { json: { filter: { statuses: ["failed"] }, ...others } });
    for (let asked = 0; asked < 3; asked++) expect((await start({ dry_run: true })).status).toBe(200);
    const started = await start({});
    expect(started.status).toBe(201);
    expect(started.headers.get("ratelimit")).toBe('"console";r=596;t=60, "sends";r=0;t=60');
    expect((await start({})).status).toBe(429);
    expect((await start({ dry_run: true })).status).toBe(200);
  });

  it("count for neither limit if one of them refuses", async () => {
    const { ask, askTimes, resend, advance } = await openWorld({
      consoleRateLimitPerMinute: 5,
      sendsPerMinute: 2,
    });
    expect(await askTimes(10, resend)).toEqual(
      new Map([
        [201, 2],
        [429, 8],
      ]),
    );
    expect(await askTimes(4, "GET /console/api/keys")).toEqual(
      new Map([
        [200, 3],
        [429, 1],
      ]),
    );
    advance(30_000);
    const refused = await ask(resend);
    expect(await readError(refused)).toMatchObject({
      message: "More than 5 requests to the console API in a minute. Try again in 30 seconds.",
    });
    advance(30_000);
    expect(await askTimes(3, resend)).toEqual(
      new Map([
        [201, 2],
        [429, 1],
      ]),
    );
  });

  it("are not used up by those who may not send", async () => {
    const { hookwright, ask, resend } = await openWorld({ sendsPerMinute: 1 });
    const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "Reports", rights: ["read"] });
    const link = await hookwright.sessions.createLink("acc_1", { read_only: true });
    const code = link.url.slice(link.url.lastIndexOf("/") + 1);
    const exchanged = await ask("POST /console/api/session/link", { json: { code } });
    const { data: support } = JSON.parse(await exchanged.text());
    for (let asked = 0; asked < 3; asked++) {
      const refused = await ask(resend.replace("console/api", "developer/v1"), { as: key });
      expect(await readError(refused)).toMatchObject({ code: "forbidden" });
      const readOnly = await ask(resend, { as: support.token });
      expect(await readError(readOnly)).toMatchObject({ code: "read_only_demo" });
    }
    expect((await ask(resend)).status).toBe(201);
  });

  it("have no limit when the host's program sends them", async () => {
    const { hookwright, delivery } = await openWorld({ sendsPerMinute: 1 });
    const ids = new Set<string>();
    for (let send = 0; send < 5; send++) ids.add((await hookwright.deliveries.resend("acc_1", delivery)).id);
    expect(ids.size).toBe(5);
  });
});
