import { describe, expect, it } from "vitest";
import { failureOf } from "./support/failure-of.ts";
import { openWorld } from "./support/open-world.ts";

const hooks = "https://example.com/hooks";

describe("over the real API", () => {
  it("the account is read", async () => {
    await using world = await openWorld();
    expect(await world.client.me()).toMatchObject({ id: "acc_1", timezone: "UTC", plan: { crm: true } });
  });

  it("sites are listed, newest first", async () => {
    await using world = await openWorld();
    const sites = await world.client.projects.list().toArray();
    expect(sites.map(({ id, timezone }) => [id, timezone])).toEqual([
      ["site_2", "Asia/Tokyo"],
      ["site_1", "Europe/London"],
    ]);
  });

  it("event types are listed with their samples, in one request", async () => {
    await using world = await openWorld();
    const types = await world.client.eventTypes.list().toArray();
    expect(types).toHaveLength(7);
    expect(types[0]).toMatchObject({ event: "order.created", sample: { event: "order.created" } });
    expect(world.requests).toEqual(["GET /v1/event-types"]);
  });

  it("samples are the newest records of an event, by site and limit", async () => {
    await using world = await openWorld();
    for (const number of [1, 2, 3]) await world.order(number);
    const { samples } = world.client.eventTypes;
    const newest = await samples("order.created", { limit: 2 }).toArray();
    expect(newest.map(({ id, data }) => [id, data.number])).toEqual([
      ["order.created_ord_3", "3"],
      ["order.created_ord_2", "2"],
    ]);
    expect(await samples("order.created", { project_id: "site_2" }).toArray()).toEqual([]);
    expect(await samples("review.submitted").toArray()).toEqual([]);
  });

  it("a webhook is created with its secret and returned without it later", async () => {
    await using world = await openWorld();
    const { webhooks } = world.client;
    const first = await webhooks.create({ event: "order.paid", target_url: hooks, project_id: "site_1" });
    expect(first).toMatchObject({ created: true, webhook: { project_id: "site_1", status: "active" } });
    // The type has this field only if `created` is true.
    expect(first.created && first.webhook.signing_secret).toMatch(/^whsec_/);
    const again = await webhooks.create({ event: "order.paid", target_url: hooks });
    expect(again.created).toBe(false);
    expect(again.webhook).not.toHaveProperty("signing_secret");
    expect(await webhooks.get(first.webhook.id)).toEqual(again.webhook);
    expect(await webhooks.list().toArray()).toEqual([again.webhook]);
  });

  it("a webhook is deleted once", async () => {
    await using world = await openWorld();
    const { webhooks } = world.client;
    const { webhook } = await webhooks.create({ event: "order.paid", target_url: hooks });
    expect(await webhooks.delete(webhook.id)).toEqual({ id: webhook.id, deleted: true });
    expect((await failureOf(webhooks.delete(webhook.id))).code).toBe("resource_not_found");
    expect((await failureOf(webhooks.get(webhook.id))).code).toBe("resource_not_found");
  });

  it("a contact is created, then updated, and `created` differs", async () => {
    await using world = await openWorld();
    const { contacts } = world.client;
    const person = { project_id: "site_1", email: "Ada@example.com" };
    const first = await contacts.save({ ...person, name: "Ada", tags: ["vip"] });
    expect(first).toMatchObject({ created: true, contact: { email: "ada@example.com", tags: ["vip"] } });
    const second = await contacts.save({ ...person, notes: "Prefers e-mail.", tags: ["new"] });
    expect(second).toMatchObject({
      created: false,
      contact: { id: first.contact.id, name: "Ada", notes: "Prefers e-mail.", tags: ["vip", "new"] },
    });
    expect(await contacts.get(first.contact.id)).toEqual(second.contact);
  });

  it("contacts are filtered by site and address with any characters", async () => {
    await using world = await openWorld();
    const { contacts } = world.client;
    const email = "ada+a&b=c%20#d@example.com";
    const { contact } = await contacts.save({ project_id: "site_1", email });
    await contacts.save({ project_id: "site_2", email: "else@example.com" });
    expect(await contacts.list({ email }).toArray()).toEqual([contact]);
    expect(await contacts.list({ project_id: "site_1" }).toArray()).toEqual([contact]);
    expect(await contacts.list({ email: undefined }).toArray()).toHaveLength(2);
  });

  it("a person is subscribed once and added to a list", async () => {
    await using world = await openWorld();
    await world.hookwright.emailLists.put("lst_1", { project_id: "site_1", name: "News" });
    const person = { project_id: "site_1", email: "ada@example.com" };
    const { subscribers } = world.client;
    const first = await subscribers.create({ ...person, name: "Ada" });
    expect(first).toMatchObject({ created: true, subscriber: { status: "active", list_ids: [] } });
    const second = await subscribers.create({ ...person, list_id: "lst_1" });
    expect(second).toMatchObject({ created: false, subscriber: { name: "Ada", list_ids: ["lst_1"] } });
  });

  it("email lists are listed by site", async () => {
    await using world = await openWorld();
    await world.hookwright.emailLists.put("lst_1", { project_id: "site_1", name: "News" });
    const { emailLists } = world.client;
    expect(await emailLists.list().toArray()).toMatchObject([{ id: "lst_1", name: "News" }]);
    expect(await emailLists.list({ project_id: "site_2" }).toArray()).toEqual([]);
  });

  it("a draft is created", async () => {
    await using world = await openWorld();
    const draft = await world.client.blogPosts.create({ project_id: "site_1", title: "Winter hours" });
    expect(draft).toMatchObject({ slug: "winter-hours", status: "draft", content: null, tags: [] });
  });

  it("orders are listed with filters and read by id", async () => {
    await using world = await openWorld();
    await world.order(1, { status: "paid" });
    await world.order(2);
    const { orders } = world.client;
    const [paid, ...others] = await orders.list({ status: "paid", number: "1" }).toArray();
    expect([paid?.id, others]).toEqual(["ord_1", []]);
    expect(await orders.get("ord_1")).toEqual(paid);
    expect(await orders.list({ status: "refunded" }).toArray()).toEqual([]);
  });

  it("the OpenAPI document is read without the key", async () => {
    await using world = await openWorld();
    const client = world.connect({ apiKey: "hwk_that_nobody_knows" });
    expect(await client.openApi()).toMatchObject({ openapi: "3.1.1", info: { version: "1" } });
  });

  it.each(["/integrations", "/a/deep-one"])("requests use the base path: %s", async (basePath) => {
    await using world = await openWorld({ basePath });
    expect(await world.client.me()).toMatchObject({ id: "acc_1" });
    expect(await world.connect({ baseUrl: `${world.baseUrl}/` }).me()).toMatchObject({ id: "acc_1" });
    expect(await world.connect({ baseUrl: new URL(world.baseUrl) }).me()).toMatchObject({ id: "acc_1" });
    expect(new Set(world.requests)).toEqual(new Set([`GET ${basePath}/v1/me`]));
  });

  it("an id is encoded as one path segment", async () => {
    await using world = await openWorld();
    const error = await failureOf(world.client.orders.get("../me?x=1#y/ü %"));
    expect(error.code).toBe("resource_not_found");
    expect(world.requests).toEqual(["GET /v1/orders/..%2Fme%3Fx%3D1%23y%2F%C3%BC%20%25"]);
  });

  it.each(["", ".", "..", "\ud800"])("an id that is invalid in a path is not sent: %j", async (id) => {
    await using world = await openWorld();
    expect(await failureOf(world.client.webhooks.delete(id))).toMatchObject({
      code: "invalid_argument",
      message: expect.stringMatching(/^id: /),
    });
    expect(world.requests).toEqual([]);
  });
});
