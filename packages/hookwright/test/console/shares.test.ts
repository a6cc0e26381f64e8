import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
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
  const { url, ...first } = await share(1);
  const { url: _, ...second } = await share(30);
  expect((await world.ask(`GET ${path}/shares`)).rows).toEqual([first, second]);
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

it("after 30 wrong links of a network in a minute, the next one waits", async () => {
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
  expect(await openFrom("192.0.2.2", token)).toBe(200);
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
