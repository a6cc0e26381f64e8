import { beforeEach, describe, expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import type { MockApi } from "../src/mock-api.ts";
import type { Seed } from "../src/seed.ts";
import { untyped } from "./support/untyped.ts";

const baseUrl = "https://api.example.com";
const api = mockApi({ baseUrl });
beforeEach(() => api.reset());

const email = "ada@example.com";
const target_url = "https://hooks.example.com/";

it("an undefined field counts as omitted in every row", async () => {
  const none = undefined;
  await api.add({
    account: { id: none, name: none, email: none, timezone: none, status: none, plan: none, demo: none },
    projects: [{ id: "site_1", name: none, timezone: none }],
    emailLists: [{ id: "lst_1", name: none, project_id: none }],
    contacts: [{ email, project_id: none, name: none, tags: none }],
    subscribers: [{ email, project_id: none, name: none, status: none, tags: none, list_ids: none }],
    blogPosts: [{ title: "Winter", project_id: none, slug: none }],
    webhooks: [{ event: "order.paid", target_url, project_id: none, signing_secret: none, status: none }],
    events: [{ event: "order.paid", project_id: none, data: none }],
    suppressions: none,
  });
  expect(await api.state()).toMatchObject({
    account: { id: "acc_1", name: "Analytical Bakery", status: "active" },
    contacts: [{ email, project_id: "site_1" }],
    subscribers: [{ email, project_id: "site_1", name: "", status: "active", list_ids: [] }],
    blogPosts: [{ project_id: "site_1", slug: "winter" }],
    webhooks: [{ status: "active", signing_secret: expect.stringMatching(/^whsec_/) }],
    orders: [{ id: "ord_1001" }],
  });
});

describe("an unknown field is reported", () => {
  const cases: readonly (readonly [string, object])[] = [
    ["seed.orders", { orders: [] }],
    ["account.plann", { account: { plann: {} } }],
    ["account.plan.crmm", { account: { plan: { crmm: false } } }],
    ["projects.1.title", { projects: [{ id: "a" }, { id: "b", title: "B" }] }],
    ["emailLists.0.site", { emailLists: [{ id: "l", site: "a" }] }],
    ["contacts.0.e_mail", { contacts: [{ e_mail: email }] }],
    ["subscribers.0.list_id", { subscribers: [{ email, list_id: "l" }] }],
    ["blogPosts.0.tag", { blogPosts: [{ title: "a", tag: "a" }] }],
    ["webhooks.0.secret", { webhooks: [{ event: "order.paid", target_url, secret: "a" }] }],
    ["events.0.record", { events: [{ event: "order.paid", record: {} }] }],
    ["contacts: must be a list", { contacts: { email } }],
    ["suppressions: must be a list", { suppressions: email }],
    ["projects.0: must be an object", { projects: ["site_1"] }],
    ["account: must be an object", { account: "acc_1" }],
  ];
  it.each(cases)("%s", async (name, seed) => {
    const refusal = expect.objectContaining({
      code: "invalid_seed",
      message: expect.stringContaining(name),
    });
    await expect(api.add(untyped(seed))).rejects.toEqual(refusal);
    expect(() => mockApi({ baseUrl, seed: untyped(seed) })).toThrow(refusal);
  });
});

it("is added by the rules of the service, and `reset` restores it", async () => {
  const seeded = mockApi({
    baseUrl,
    now: () => 0,
    seed: {
      account: { id: "acc_7", demo: true, plan: { name: "trial" } },
      projects: [{ id: "site_1" }, { id: "site_2", timezone: "Asia/Tokyo" }],
      emailLists: [{ id: "lst_1" }],
      contacts: [{ email }],
      subscribers: [{ email, status: "unsubscribed", tags: ["a"], list_ids: ["lst_1"] }],
      blogPosts: [{ title: "Winter" }],
      webhooks: [{ event: "order.paid", target_url, signing_secret: "whsec_1", status: "paused" }],
      suppressions: ["bounced@example.com"],
      events: [{ event: "order.paid", data: { id: "ord_9" } }],
    },
  });
  const before = withoutIds(await seeded.state());
  expect(before).toMatchObject({
    account: { id: "acc_7", demo: true, plan: { name: "trial", crm: true } },
    projects: [
      { id: "site_2", name: "site_2", timezone: "Asia/Tokyo" },
      { id: "site_1", timezone: "Europe/London" },
    ],
    emailLists: [{ id: "lst_1", project_id: "site_1", name: "lst_1" }],
    subscribers: [{ email, status: "unsubscribed", tags: ["a"], list_ids: ["lst_1"] }],
    blogPosts: [{ slug: "winter", project_id: "site_1" }],
    webhooks: [{ signing_secret: "whsec_1", status: "paused" }],
    orders: [{ id: "ord_9", status: "paid" }],
  });
  await seeded.publish("order.paid", { id: "ord_10" });
  await seeded.revokeApiKey();
  seeded.failNext("internal_error");
  seeded.reset();
  expect(withoutIds(await seeded.state())).toEqual(before);
  expect(seeded.requests).toEqual([]);
  expect((await ask(seeded, "GET /v1/me")).status).toBe(200);
});

it("later rows change the fields that they have", async () => {
  await api.add({
    projects: [{ id: "site_2", name: "Blog", timezone: "Asia/Tokyo" }],
    emailLists: [{ id: "lst_1", project_id: "site_2", name: "News" }],
    webhooks: [{ event: "order.paid", target_url, signing_secret: "whsec_1" }],
  });
  await api.add({
    account: { plan: { crm: false } },
    projects: [{ id: "site_2", name: "Journal" }],
    emailLists: [{ id: "lst_1" }],
    webhooks: [{ event: "order.paid", target_url, status: "paused" }],
  });
  expect(await api.state()).toMatchObject({
    account: { name: "Analytical Bakery", plan: { crm: false, integrations: true } },
    projects: [{ id: "site_2", name: "Journal", timezone: "Asia/Tokyo" }, { id: "site_1" }],
    emailLists: [{ id: "lst_1", project_id: "site_2", name: "News" }],
    webhooks: [{ signing_secret: "whsec_1", status: "paused" }],
  });
});

it("an address of `suppressions` cannot subscribe", async () => {
  await api.add({ suppressions: [email] });
  const answer = await ask(api, "POST /v1/subscribers", { project_id: "site_1", email });
  expect((await answer.json()).error.code).toBe("email_rejected");
});

it.each<[string, Seed]>([
  ["validation_failed", { contacts: [{ email: "no address" }] }],
  ["invalid_target_url", { webhooks: [{ event: "order.paid", target_url: "http://x" }] }],
  ["invalid_list", { subscribers: [{ email, list_ids: ["none"] }] }],
  ["no_project", { projects: [], contacts: [{ email }] }],
])("the service refuses it with %s: in each call and request", async (code, seed) => {
  const refused = mockApi({ baseUrl, seed });
  await expect(refused.state()).rejects.toMatchObject({ code });
  await expect(refused.publish("order.paid")).rejects.toMatchObject({ code });
  await expect(ask(refused, "GET /v1/me")).rejects.toMatchObject({ code });
  await expect(refused.add({})).rejects.toMatchObject({ code });
});

it("a refused row stops a seed, and the mock goes on", async () => {
  const refused = api.add({ projects: [{ id: "site_2" }], contacts: [{ email: "no address" }] });
  await expect(refused).rejects.toMatchObject({
    code: "validation_failed",
    message: "contacts.0: email: must be an e-mail address",
  });
  expect((await api.state()).projects.map(({ id }) => id)).toEqual(["site_2", "site_1"]);
  await expect(api.add({ account: { id: "acc_2" } })).rejects.toMatchObject({ code: "invalid_seed" });
});

it("`now` and `randomBytes` fix times, ids and secrets", async () => {
  const open = () => {
    let count = 0;
    const randomBytes = (size: number) => new Uint8Array(size).fill((count += 1));
    return mockApi({
      baseUrl,
      now: () => 0,
      randomBytes,
      seed: { webhooks: [{ event: "order.paid", target_url }] },
    });
  };
  const [one, other] = [await open().state(), await open().state()];
  expect(one).toEqual(other);
  expect(one.webhooks[0]?.created_at).toBe("1970-01-01T00:00:00Z");
});

function ask(mock: MockApi, target: string, json?: unknown): Promise<Response> {
  const [method = "", path = ""] = target.split(" ", 2);
  const headers = { authorization: `Bearer ${mock.apiKey}`, "content-type": "application/json" };
  return mock.fetch(baseUrl + path, {
    method,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
}

function withoutIds(state: object): unknown {
  return JSON.parse(JSON.stringify(state).replaceAll(/(?:wh|ct|sub|post)_[0-9a-f]{32}/g, "<id>"));
}
