import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listenLocally } from "../support/listen-locally.ts";
import { openConsole, openHookwright } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";

const tokenOf = (url: unknown): string => String(url).slice(String(url).lastIndexOf("/") + 1);

/** A delivery whose request and answer contain what nobody else may see. */
async function openShared(options: Parameters<typeof openConsole>[0] = {}) {
  const world = await openConsole({ retryDelaysSeconds: [3_600], standardWebhooks: true, ...options });
  await world.createWebhook("/hooks/9f8e7d6c5b4a39281706?token=of-the-owner", {
    headers: { Authorization: "Bearer of-the-gateway" },
  });
  const [id = ""] = await world.publish("rev_1");
  await world.settled();
  const path = `/console/api/deliveries/${id}`;
  const share = async (days = 1) => (await world.ask(`POST ${path}/share`, { days })).data;
  return { world, id, path, share, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** Opens a link as somebody without a session. */
async function open({ hookwright }: Pick<World, "hookwright">, token: string) {
  const response = await hookwright.fetch(
    new Request(`http://localhost/console/api/shared/${encodeURIComponent(token)}`),
  );
  const text = await response.text();
  const { data, error } = JSON.parse(text);
  return { status: response.status, headers: response.headers, text, data, error };
}

const refused = { status: 404, error: { code: "resource_not_found" } };

it("a link shows its delivery without a sign-in, and nothing secret", async () => {
  await using opened = await openShared();
  const { world, id, share } = opened;
  const created = await share(7);
  expect(created).toMatchObject({
    id: expect.stringMatching(/^shr_/u),
    url: expect.stringMatching(/^\/console#\/shared\/hws_[\w.-]+$/u),
    expires_at: expect.stringMatching(/Z$/u),
  });
  const shared = await open(world, tokenOf(created["url"]));
  const whole = await world.hookwright.deliveries.get(world.account, id);
  const [request] = world.received;
  expect(shared.status).toBe(200);
  expect(shared.data).toMatchObject({ id, status: "delivered", expires_at: created["expires_at"] });
  expect(shared.data.target_url).toBe(`${world.origin}/hooks/9f8e…?…`);
  expect(shared.data.attempts[0].request.body).toBe(request?.body.toString());
  const headers: Readonly<Record<string, string>> = shared.data.attempts[0].request.headers;
  expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain("authorization");
  const signature = String(whole.attempts[0]?.request.headers["X-Service-Signature"]);
  expect(headers["X-Service-Signature"]).toBe(`${signature.slice(0, 11)}…`);
  for (const secret of ["of-the-owner", "of-the-gateway", "whsec_", signature, world.account])
    expect(shared.text).not.toContain(secret);
  expect(Object.fromEntries(shared.headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
  });
});

it("a link hides the same secrets in an answer that repeats the request", async () => {
  await using receiver = await listenLocally(
    createServer(async (request, response) => {
      const { url = "", headers } = request;
      const query = Object.fromEntries(new URL(url, "http://localhost").searchParams);
      const body = JSON.stringify({ url, query, headers, sent: (await buffer(request)).toString() });
      const location = `https://other.example${url}`;
      response.writeHead(302, { location, "x-request-id": url, "content-type": "application/json" });
      response.end(body);
    }),
  );
  await using world = await openConsole({ retryDelaysSeconds: [3_600], standardWebhooks: true });
  const segment = "9f8e7d6c5b4a39281706";
  const target = `${receiver.origin}/hooks/${segment};p=matrix-secret?token=of%2Fthe%2Fowner`;
  await world.createWebhook(target);
  const [id = ""] = await world.publish("rev_1");
  await world.settled();
  const { data } = await world.ask(`POST /console/api/deliveries/${id}/share`, { days: 1 });
  const shared = await open(world, tokenOf(data["url"]));
  const [whole] = (await world.hookwright.deliveries.get(world.account, id)).attempts;
  const signatures = Object.entries(whole?.request.headers ?? {})
    .filter(([name]) => /-signature$/iu.test(name))
    .map(([, value]) => value.slice("v1=".length));
  const secrets = [segment, "matrix-secret", "of%2Fthe%2Fowner", "of/the/owner", ...signatures];
  expect(secrets).toHaveLength(6);
  const [attempt] = shared.data.attempts;
  expect(attempt).toMatchObject({
    excerpt: expect.stringMatching(/^\{"url":"\/hooks\/\(hidden\).*"token":"\(hidden\)"/u),
    detail: expect.stringContaining("302 with Location https://other.example/hooks/9f8e…;…: redirects"),
  });
  expect(attempt.headers["x-request-id"]).toMatch(/^\/hooks\/\(hidden\)/u);
  for (const secret of secrets) {
    expect(JSON.stringify(whole)).toContain(secret);
    expect(shared.text).not.toContain(secret);
  }
});

it("a link shows no other deliveries, and only headers of a response that say who answered", async () => {
  await using opened = await openShared();
  const { world, id, path } = opened;
  await world.ask(`POST ${path}/resend`);
  const { data } = await world.ask(`POST ${path}/share`, { days: 1 });
  const shared = await open(world, tokenOf(data["url"]));
  expect((await world.hookwright.deliveries.get(world.account, id)).resends).toHaveLength(1);
  expect(shared.data).toMatchObject({ resends: [], resent_from: null, listener_results: [] });
  expect(Object.keys(shared.data.attempts[0].headers)).toEqual(["date"]);
});

it("a wrong, a changed, a revoked and an expired link, and one of a removed account, all get the same answer", async () => {
  let at = Date.now();
  await using opened = await openShared({ now: () => at });
  const { world, share } = opened;
  const token = tokenOf((await share())["url"]);
  const other = await share(30);
  const answers = [await open(world, "hws_wrong"), await open(world, token.slice(0, -1))];
  expect((await world.ask(`DELETE /console/api/shares/${String(other["id"])}`)).data).toEqual({
    id: other["id"],
    deleted: true,
  });
  answers.push(await open(world, tokenOf(other["url"])));
  expect((await open(world, token)).status).toBe(200);
  at += 24 * 60 * 60 * 1_000;
  answers.push(await open(world, token));
  const last = tokenOf((await share())["url"]);
  await world.hookwright.accounts.remove(world.account);
  answers.push(await open(world, last));
  expect(answers).toEqual(
    answers.map(() => expect.objectContaining({ ...refused, error: answers[0]?.error })),
  );
});

it("a suspended account shares nothing", async () => {
  await using opened = await openShared();
  const { world, share } = opened;
  const token = tokenOf((await share())["url"]);
  await world.hookwright.accounts.put(world.account, { status: "suspended" });
  expect(await open(world, token)).toMatchObject(refused);
});

it("a link works in every process with the same secret, and after a restart", async () => {
  const store = memoryStore();
  await using opened = await openShared({ store });
  const { share } = opened;
  const token = tokenOf((await share())["url"]);
  await using other = await openHookwright({ store, role: "api" });
  expect((await open({ hookwright: other }, token)).status).toBe(200);
  await using foreign = await openHookwright({ secret: "t".repeat(32), role: "api" });
  expect(await open({ hookwright: foreign }, token)).toMatchObject(refused);
});

it("links are listed without their tokens, and sharing and revoking are in the activity log", async () => {
  await using opened = await openShared();
  const { world, id, path, share } = opened;
  const { url, ...one } = await share(1);
  const { url: _, ...other } = await share(30);
  const [first = {}, second = {}] = (await world.ask(`GET ${path}/shares`)).rows;
  const created_at = expect.stringMatching(/Z$/u);
  expect([first, second]).toEqual([
    { ...other, created_at },
    { ...one, created_at },
  ]);
  await world.ask(`DELETE /console/api/shares/${String(first["id"])}`);
  expect((await world.ask(`GET ${path}/shares`)).rows).toEqual([second]);
  expect(await world.ask(`DELETE /console/api/shares/${String(first["id"])}`)).toMatchObject({ status: 404 });
  const { rows } = await world.ask("GET /console/api/audit?limit=3");
  expect(rows.map(({ action, target }) => [action, target])).toEqual([
    ["delivery.share_revoked", { kind: "delivery", id }],
    ["delivery.shared", { kind: "delivery", id }],
    ["delivery.shared", { kind: "delivery", id }],
  ]);
  expect(JSON.stringify(rows)).not.toContain(tokenOf(url));
});

it("a delivery has at most ten links, also when they are created at once", async () => {
  await using opened = await openShared();
  const { world, path } = opened;
  const asked = await Promise.all(
    Array.from({ length: 14 }, () => world.ask(`POST ${path}/share`, { days: 1 })),
  );
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(asked.filter(({ code }) => code === "invalid_state")).toHaveLength(4);
});

/** Links of deliveries that do not exist, one of each, from `shr_1` on. */
async function addLinks(
  store: ReturnType<typeof memoryStore>,
  account: string,
  count: number,
): Promise<void> {
  const partition = partitionOf(account);
  const at = Date.now();
  const mutations = Array.from({ length: count }, (_, index) => {
    const value = JSON.stringify([{ id: `shr_${index + 1}`, created_at: at, expires_at: at + 60_000 }]);
    const key = [partition, "share", account, `dlv_${String(index + 1).padStart(4, "0")}`] as const;
    return { type: "set", key, value } as const;
  });
  await store.commit(partition, { checks: [], mutations });
}

it("an account has at most 200 links, and makes room by revoking one", async () => {
  const store = memoryStore();
  await using opened = await openShared({ store });
  const { world, path } = opened;
  await addLinks(store, world.account, 199);
  expect((await world.ask(`POST ${path}/share`, { days: 1 })).status).toBe(201);
  expect(await world.ask(`POST ${path}/share`, { days: 1 })).toMatchObject({
    status: 409,
    code: "invalid_state",
    message: "The account has 200 links, which is the limit. Revoke one first.",
  });
  await world.ask("DELETE /console/api/shares/shr_1");
  expect((await world.ask(`POST ${path}/share`, { days: 1 })).status).toBe(201);
});

it("a link is revoked wherever it stands, also if there are more than the limit", async () => {
  const store = memoryStore();
  await using world = await openConsole({ store });
  await addLinks(store, world.account, 250);
  expect((await world.ask("DELETE /console/api/shares/shr_250")).status).toBe(200);
  expect((await world.ask("DELETE /console/api/shares/shr_250")).status).toBe(404);
});

it.each([{}, { days: 0 }, { days: 31 }, { days: 1.5 }, { days: "7" }])("%j is refused", async (input) => {
  await using opened = await openShared();
  const { world, path } = opened;
  expect(await world.ask(`POST ${path}/share`, input)).toMatchObject({
    status: 422,
    code: "validation_failed",
    message: expect.stringMatching(/^days:/u),
  });
});

it("a read-only session, another account and an API key cannot share", async () => {
  await using opened = await openShared();
  const { world, path, share } = opened;
  const { hookwright, account } = world;
  const { id } = await share();
  const { api_key: key } = await hookwright.apiKeys.create(account, { name: "Shop" });
  await hookwright.accounts.put("acc_2", { email: "second@example.com" });
  const sessionOf = async (owner: string, readOnly = false): Promise<string> => {
    const { url } = await hookwright.sessions.createLink(owner, { read_only: readOnly });
    return (await hookwright.sessions.exchangeLink({ code: tokenOf(url) })).token;
  };
  const ask = async (token: string, method: string, target: string, body?: object): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await hookwright.fetch(new Request(`http://localhost${target}`, request))).status;
  };
  const tokens = [await sessionOf(account, true), await sessionOf("acc_2"), key];
  const create = await Promise.all(tokens.map((each) => ask(each, "POST", `${path}/share`, { days: 1 })));
  const revoke = await Promise.all(
    tokens.map((each) => ask(each, "DELETE", `/console/api/shares/${String(id)}`)),
  );
  expect([create, revoke]).toEqual([
    [403, 404, 401],
    [403, 404, 401],
  ]);
});

it("after 30 wrong links of a network in a minute the next one waits, and right ones are never counted", async () => {
  await using opened = await openShared({ trustProxy: 1 });
  const { world, share } = opened;
  const token = tokenOf((await share())["url"]);
  const openFrom = async (address: string, each: string): Promise<number> => {
    const request = new Request(`http://localhost/console/api/shared/${each}`, {
      headers: { "x-forwarded-for": address },
    });
    return (await world.hookwright.fetch(request)).status;
  };
  for (let count = 0; count < 30; count++) expect(await openFrom("192.0.2.1", "hws_wrong")).toBe(404);
  expect(await openFrom("192.0.2.1", "hws_wrong")).toBe(429);
  const right = await Promise.all(Array.from({ length: 100 }, () => openFrom("192.0.2.1", token)));
  expect(new Set(right)).toEqual(new Set([200]));
});

it("rows of links expire with their last link", async () => {
  const store = memoryStore();
  const expiries: unknown[] = [];
  const commit: typeof store.commit = (partition, given) => {
    for (const mutation of given.mutations)
      if (mutation.key[1] === "share" && mutation.type === "set") expiries.push(mutation.expiresAt);
    return store.commit(partition, given);
  };
  // Ahead of the clock of the store, which would move the end otherwise.
  const at = Date.now() + 3_600_000;
  await using opened = await openShared({ store: { ...store, commit }, now: () => at });
  await opened.share(30);
  await opened.share(1);
  const end = at + 30 * 24 * 60 * 60 * 1_000;
  expect(expiries).toEqual([end, end]);
});
