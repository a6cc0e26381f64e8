import { beforeEach, describe, expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import type { Seed } from "../src/seed.ts";
import { untyped } from "./support/untyped.ts";

const baseUrl = "https://api.example.com";
const api = mockApi({ baseUrl });
beforeEach(() => api.reset());

const email = "ada@example.com";
const target_url = "https://hooks.example.com/";

it("an undefined field counts as omitted in every row", () => {
  const none = undefined;
  api.add({
    account: { id: none, name: none, email: none, timezone: none, status: none, plan: none, demo: none },
    projects: [{ id: "site_1", name: none, timezone: none }],
    emailLists: [{ id: "lst_1", name: none, project_id: none }],
    contacts: [{ email, project_id: none, name: none, tags: none }],
    subscribers: [{ email, project_id: none, name: none, status: none, tags: none, list_ids: none }],
    blogPosts: [{ title: "Winter", project_id: none, slug: none }],
    webhooks: [{ event: "order.paid", target_url, project_id: none, signing_secret: none, status: none }],
    events: [{ event: "order.paid", project_id: none, data: none }],
    suppressions: none,
    throwawayDomains: none,
  });
  expect(api.state).toMatchObject({
    account: { id: "acc_1", name: "Analytical Bakery", status: "active" },
    contacts: [{ email, project_id: "site_1" }],
    subscribers: [{ email, project_id: "site_1", name: "", status: "active", list_ids: [] }],
    blogPosts: [{ project_id: "site_1", slug: "winter" }],
    webhooks: [{ status: "active", signing_secret: expect.stringMatching(/^whsec_/) }],
    orders: [{ id: "ord_1001" }],
  });
});

it("an empty field keeps the stored value, as in the service", () => {
  api.add({ subscribers: [{ email, name: "Ada", status: "unsubscribed", tags: ["a"] }] });
  api.add({ subscribers: [{ email, name: " ", status: untyped(""), tags: untyped("") }] });
  expect(api.state.subscribers).toMatchObject([{ name: "Ada", status: "unsubscribed", tags: ["a"] }]);
  api.add({ account: { plan: { name: "", crm: untyped(null), blog_posts_per_site: 3 } } });
  expect(api.state.account.plan).toMatchObject({ name: "standard", crm: true, blog_posts_per_site: 3 });
  api.add({ account: { plan: { blog_posts_per_site: null } } });
  expect(api.state.account.plan.blog_posts_per_site).toBeNull();
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
  it.each(cases)("%s", (name, seed) => {
    const refusal = expect.objectContaining({
      code: "invalid_seed",
      message: expect.stringContaining(name),
    });
    expect(() => api.add(untyped(seed))).toThrow(refusal);
    expect(() => mockApi({ baseUrl, seed: untyped(seed) })).toThrow(refusal);
  });
});

describe("a seed subscriber's list", () => {
  it("must belong to its site", () => {
    api.add({ projects: [{ id: "site_2" }], emailLists: [{ id: "lst_2", project_id: "site_2" }] });
    for (const list of ["none", "lst_2"]) {
      expect(() => api.add({ subscribers: [{ email, list_ids: [list] }] })).toThrow(
        expect.objectContaining({ code: "invalid_list", message: expect.stringContaining("list_ids") }),
      );
    }
    api.add({ subscribers: [{ email, project_id: "site_2", list_ids: ["lst_2"] }] });
    expect(api.state.subscribers).toMatchObject([{ list_ids: ["lst_2"] }]);
  });
});

describe("a throwaway domain", () => {
  it("is compared without case, white space or an @", async () => {
    api.add({ throwawayDomains: [" Foo.example ", "@Bar.example"] });
    for (const domain of ["foo.example", "sub.bar.example"]) {
      const body = JSON.stringify({ project_id: "site_1", email: `ada@${domain}` });
      const headers = { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" };
      const answer = await api.fetch(`${baseUrl}/v1/subscribers`, { method: "POST", headers, body });
      expect((await answer.json()).error.code).toBe("email_rejected");
    }
  });

  it.each(["", "com", "a b.example", "ada@foo.example"])("must not be %j", (domain) => {
    expect(() => api.add({ throwawayDomains: [domain] })).toThrow(
      expect.objectContaining({ message: expect.stringContaining("throwawayDomains") }),
    );
  });
});

it("a webhook that is added again gets the given secret or keeps its own", () => {
  const webhook = { event: "order.paid", target_url } as const;
  api.add({ webhooks: [{ ...webhook, signing_secret: "whsec_1" }] });
  api.add({ webhooks: [{ ...webhook, signing_secret: "whsec_2" }] });
  api.add({ webhooks: [webhook] });
  expect(api.state.webhooks.map(({ signing_secret }) => signing_secret)).toEqual(["whsec_2"]);
});

it("a rejected seed adds nothing", async () => {
  const before = api.state;
  const seed: Seed = {
    account: { name: "Other" },
    projects: [{ id: "site_2" }],
    emailLists: [{ id: "lst_1" }],
    suppressions: [email],
    throwawayDomains: ["foo.example"],
    contacts: [{ email }],
    subscribers: [{ email, list_ids: ["lst_1"] }],
    blogPosts: [{ title: "Winter" }],
    webhooks: [{ event: "order.paid", target_url }],
    events: [{ event: "order.paid" }, { event: "order.paid", data: { total: Number.NaN } }],
  };
  expect(() => api.add(seed)).toThrow(expect.objectContaining({ code: "validation_failed" }));
  expect(api.state).toEqual(before);
  expect(await api.takeDeliveries()).toEqual([]);
  const body = JSON.stringify({ project_id: "site_1", email });
  const headers = { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" };
  expect((await api.fetch(`${baseUrl}/v1/subscribers`, { method: "POST", headers, body })).status).toBe(201);
});
