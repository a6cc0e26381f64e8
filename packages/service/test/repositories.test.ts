import { HookwrightError, sampleDeliveryBody } from "@hookwright/domain";
import type { KeptContact } from "@hookwright/domain";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BlogPostRepository } from "../src/repositories/blog-post-repository.ts";
import type { ContactRepository } from "../src/repositories/contact-repository.ts";
import type { KeptOrder, OrderRepository } from "../src/repositories/order-repository.ts";
import type { Listed, ListPage } from "../src/repositories/repository.ts";
import { openService } from "./support/open-service.ts";

const page = { limit: 2 };
const order = sampleDeliveryBody("order.created").data;

function contactOf(id: string, changes: Partial<KeptContact> = {}): KeptContact {
  const time = new Date("2026-11-20T09:30:00.750Z");
  const unset = { name: null, phone: null, notes: null, tags: [] };
  const email = `${id}@example.com`;
  return { id, project_id: "site_1", email, ...unset, created_at: time, updated_at: time, ...changes };
}

/** Three contacts, `c`, `b` and `a`, read behind the position that a page begins with. */
function listThree(_accountId: string, _filters: object, { limit, after }: ListPage): Listed<KeptContact>[] {
  const all = ["c", "b", "a"].map((id) => ({ position: [id], row: contactOf(id) }));
  return all.filter(({ position: [id = ""] }) => id < String(after?.[0] ?? "z")).slice(0, limit);
}

const contacts: ContactRepository = {
  get: (_accountId, id) => contactOf(id),
  list: listThree,
  upsert: (_accountId, key, merge) => ({
    contact: contactOf("new", { ...key, ...merge(undefined), tags: [] }),
    created: true,
  }),
};
const orders: OrderRepository = {
  get: (_accountId, id) => ({ project_id: "site_1", data: { ...order, id } }),
  list: () => [],
};
const blogPosts: BlogPostRepository = {
  create(_accountId, draft, { slugs }) {
    const [slug = ""] = slugs;
    const time = "2026-11-20T10:30:00+01:00";
    return { id: "7", ...draft, slug, created_at: time, updated_at: time };
  },
};

/** Two accounts, of which the first has `site_1` and the second `site_2`. */
async function openShop(options: Parameters<typeof openService>[0]) {
  const opened = openService(options);
  for (const number of [1, 2]) {
    const account_id = `acc_${number}`;
    await opened.service.accounts.put(account_id, { email: "owner@example.com" });
    await opened.service.projects.put(`site_${number}`, { account_id, name: "Shop" });
  }
  return opened;
}

const write = { project_id: "site_1", email: "Ada@example.com", name: "Ada" };
const draft = { project_id: "site_1", title: "Opening hours" };

describe("what the host keeps itself", () => {
  it("may be answered at once, with dates, and goes out in the wire form without what nobody asked for", async () => {
    const password = { password: "secret" };
    const get = (_: string, id: string): KeptContact => Object.assign(contactOf(id), password);
    const { service } = await openShop({ contacts: { ...contacts, get }, orders, blogPosts });
    const time = "2026-11-20T09:30:00Z";
    expect(await service.contacts.get("acc_1", "a")).toEqual({
      ...contactOf("a"),
      created_at: time,
      updated_at: time,
    });
    expect(await service.contacts.write("acc_1", write)).toMatchObject({
      contact: { id: "new", email: "ada@example.com", name: "Ada", created_at: time },
      created: true,
    });
    expect(await service.blogPosts.create("acc_1", draft)).toMatchObject({
      id: "7",
      slug: "opening-hours",
      content: null,
      created_at: time,
    });
    expect(JSON.parse((await service.orders.get("acc_1", "ord_9")).json)).toEqual({ ...order, id: "ord_9" });
    const placed = { ...order, created_at: new Date("2026-11-20T09:30:00.750Z") };
    const shop = await openShop({
      orders: { ...orders, get: () => ({ project_id: "site_1", data: placed }) },
    });
    expect(JSON.parse((await shop.service.orders.get("acc_1", order.id)).json)).toEqual({
      ...order,
      created_at: time,
    });
  });

  it("is paged by its positions, which come back sealed", async () => {
    const list = vi.fn(listThree);
    const { service } = await openShop({ contacts: { ...contacts, list } });
    const first = await service.contacts.list("acc_1", { email: " ADA@example.com" }, page);
    expect(first.rows.map(({ id }) => id)).toEqual(["c", "b"]);
    expect(first.meta).toEqual({ has_more: true, next_cursor: expect.not.stringContaining("b") });
    const cursor = String(first.meta.next_cursor);
    const second = await service.contacts.list("acc_1", { email: "ada@example.com" }, { ...page, cursor });
    expect(second).toMatchObject({ rows: [{ id: "a" }], meta: { has_more: false, next_cursor: null } });
    expect(await service.contacts.list("acc_1", {}, { limit: 3 })).toMatchObject({
      rows: [{ id: "c" }, { id: "b" }, { id: "a" }],
      meta: { has_more: false, next_cursor: null },
    });
    expect(list.mock.calls.slice(0, 2)).toEqual([
      ["acc_1", { email: "ada@example.com", project_id: undefined }, { limit: 3, after: undefined }],
      ["acc_1", { email: "ada@example.com", project_id: undefined }, { limit: 3, after: ["b"] }],
    ]);
    await expect(service.contacts.list("acc_2", {}, { ...page, cursor })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  });

  it("is asked for nothing that could not be an id, nor about sites of others", async () => {
    const get = vi.fn(() => undefined);
    const list = vi.fn(() => []);
    const upsert = vi.fn(contacts.upsert);
    const create = vi.fn(blogPosts.create);
    const { service } = await openShop({
      contacts: { get, list, upsert },
      orders: { get, list },
      blogPosts: { create },
    });
    const notFound = { code: "resource_not_found" };
    await expect(service.contacts.get("acc_1", "../a")).rejects.toMatchObject(notFound);
    await expect(service.orders.get("acc_1", "a/b")).rejects.toMatchObject(notFound);
    const foreign = { project_id: "site_2" };
    const refused = { code: "validation_failed" };
    await expect(service.contacts.list("acc_1", foreign, page)).rejects.toMatchObject(refused);
    await expect(service.orders.list("acc_1", foreign, page)).rejects.toMatchObject(refused);
    await expect(service.contacts.write("acc_1", { ...write, ...foreign })).rejects.toMatchObject(refused);
    await expect(service.contacts.write("acc_1", { ...write, email: "x" })).rejects.toMatchObject(refused);
    await expect(service.blogPosts.create("acc_1", { ...draft, ...foreign })).rejects.toMatchObject(refused);
    for (const asked of [get, list, upsert, create]) expect(asked).not.toHaveBeenCalled();
    await expect(service.contacts.get("acc_1", "a")).rejects.toMatchObject(notFound);
    await expect(service.orders.get("acc_1", "a")).rejects.toMatchObject(notFound);
  });

  it("refuses in its own words", async () => {
    const refusal = new HookwrightError("validation_failed", "title: is taken");
    const { service, faults } = await openShop({
      blogPosts: {
        create() {
          throw refusal;
        },
      },
    });
    await expect(service.blogPosts.create("acc_1", draft)).rejects.toBe(refusal);
    expect(faults).toEqual([]);
  });

  it("is told how many posts a site may have, and says when there are as many", async () => {
    const limits: unknown[] = [];
    const create: BlogPostRepository["create"] = (accountId, sent, rules) => {
      limits.push(rules.limit);
      return rules.limit === 0 ? "plan_limit_reached" : blogPosts.create(accountId, sent, rules);
    };
    const { service } = await openShop({ blogPosts: { create } });
    await service.accounts.put("acc_1", { plan: { blog_posts_per_site: 7 } });
    expect(await service.blogPosts.create("acc_1", draft)).toMatchObject({ id: "7" });
    await service.accounts.put("acc_1", { plan: { blog_posts_per_site: 0 } });
    await expect(service.blogPosts.create("acc_1", draft)).rejects.toMatchObject({
      code: "plan_limit_reached",
    });
    expect(limits).toEqual([7, 0]);
  });

  it("is given the slugs from the beginning whenever it asks for them, as a transaction that is repeated does", async () => {
    const first: string[] = [];
    const create: BlogPostRepository["create"] = (accountId, sent, rules) => {
      for (const slug of rules.slugs) {
        first.push(slug);
        break;
      }
      return blogPosts.create(accountId, sent, rules);
    };
    const { service } = await openShop({ blogPosts: { create } });
    expect(await service.blogPosts.create("acc_1", draft)).toMatchObject({ slug: "opening-hours" });
    expect(first).toEqual(["opening-hours"]);
  });

  it("is told to have no more behind a page that is full and the last", async () => {
    const list = (): Listed<KeptContact>[] =>
      ["b", "a"].map((id) => ({ position: [id], row: contactOf(id) }));
    const { service } = await openShop({ contacts: { ...contacts, list } });
    expect((await service.contacts.list("acc_1", {}, page)).meta).toEqual({
      has_more: false,
      next_cursor: null,
    });
  });

  it("gives orders that nobody has published, with the dates of a database", async () => {
    const created_at = new Date("2026-11-20T09:30:00.750Z");
    const row = (id: string): KeptOrder => ({ project_id: "site_1", data: { ...order, id, created_at } });
    const { service } = await openShop({
      orders: { get: (_, id) => row(id), list: () => [{ position: [1], row: row("ord_9") }] },
    });
    const expected = { ...order, id: "ord_9", created_at: "2026-11-20T09:30:00Z" };
    const { rows } = await service.orders.list("acc_1", {}, page);
    expect(rows.map(({ json }) => JSON.parse(json))).toEqual([expected]);
    expect(JSON.parse((await service.orders.get("acc_1", "ord_9")).json)).toEqual(expected);
  });

  it("may say null for what it has not", async () => {
    const get = (): null => null;
    const { service } = await openShop({ contacts: { ...contacts, get }, orders: { ...orders, get } });
    const notFound = { code: "resource_not_found" };
    await expect(service.contacts.get("acc_1", "a")).rejects.toMatchObject(notFound);
    await expect(service.orders.get("acc_1", "a")).rejects.toMatchObject(notFound);
  });

  it("merges by the rules of contacts, which tell it by the same object that nothing changes", async () => {
    const stored = contactOf("ada", { email: "ada@example.com", name: "Ada", tags: ["a"] });
    const merged: unknown[] = [];
    const { service } = await openShop({
      contacts: {
        ...contacts,
        upsert(_accountId, _key, merge) {
          const fields = merge(stored);
          merged.push(fields);
          return { contact: { ...stored, ...fields, tags: [...fields.tags] }, created: false };
        },
      },
    });
    await service.contacts.write("acc_1", { ...write, name: " ", tags: ["a"] });
    expect(merged[0]).toBe(stored);
    await service.contacts.write("acc_1", { ...write, name: "Ada Lovelace", notes: "VIP", tags: ["b"] });
    expect(merged[1]).toEqual({ name: "Ada Lovelace", phone: null, notes: "VIP", tags: ["a", "b"] });
  });

  it("has no contacts in the store, also of customers", async () => {
    const { service, store } = await openShop({ contacts });
    await service.contacts.write("acc_1", write);
    await service.publish({ event: "order.created", project_id: "site_1", data: order });
    expect((await service.orders.list("acc_1", {}, page)).rows).toHaveLength(1);
    const { partitionOf } = await import("@hookwright/storage");
    const rows = await store.list({ prefix: [partitionOf("acc_1")], limit: 1_000 });
    expect(rows.map(({ key: [, kind] }) => kind)).not.toContain("contact");
    expect(rows.map(({ key: [, kind] }) => kind)).toContain("record");
  });
});

describe("a repository that is wrong is a fault, named, and nothing of it goes out:", () => {
  const listed = (row: KeptContact, position: unknown = ["a"]): Listed<KeptContact> =>
    JSON.parse(JSON.stringify({ position, row }));

  it.each<[problem: string, list: ContactRepository["list"], message: RegExp]>([
    [
      "more rows than asked for",
      () => Array.from({ length: 4 }, () => listed(contactOf("a"))),
      /4 rows where 3/,
    ],
    ["rows of another account", () => [listed(contactOf("a", { project_id: "site_2" }))], /acc_1 .* site_2/],
    [
      "rows of which only the second is of another account",
      () => [listed(contactOf("b"), ["b"]), listed(contactOf("a", { project_id: "site_2" }))],
      /acc_1 .* site_2/,
    ],
    ["nothing in the place of a row", () => JSON.parse("[null]"), /position is not a short list/],
    ["two rows of one position", () => ["b", "a"].map((id) => listed(contactOf(id))), /a position twice/],
    [
      "a position that fits no cursor, though it has few letters",
      () => [listed(contactOf("a"), ["漢".repeat(200)])],
      /position is not a short list/,
    ],
    [
      "a site that is no id",
      () => [listed(contactOf("a", { project_id: "a/b" }))],
      /project_id: must be 1 to 128/,
    ],
    ["a row without a position", () => [listed(contactOf("a"), null)], /position is not a short list/],
    ["an empty position", () => [listed(contactOf("a"), [])], /position is not a short list/],
    ["a position with null in it", () => [listed(contactOf("a"), [null])], /position is not a short list/],
    [
      "a position without end",
      () => [{ position: [Number.POSITIVE_INFINITY], row: contactOf("a") }],
      /position is not a short list/,
    ],
    ["a long position", () => [listed(contactOf("a"), ["x".repeat(500)])], /position is not a short list/],
    [
      "a contact without an address",
      () => [listed(contactOf("a", { email: "x" }))],
      /email: must be an e-mail/,
    ],
    ["an id that no path can have", () => [listed(contactOf("a/b"))], /id: must be 1 to 128 characters/],
  ])("%s", async (_problem, list, message) => {
    const { service } = await openShop({ contacts: { ...contacts, list } });
    await expect(service.contacts.list("acc_1", {}, page)).rejects.toMatchObject({
      name: "RepositoryError",
      code: "invalid_answer",
      message: expect.stringMatching(message),
    });
  });

  it("no list at all", async () => {
    const list = JSON.parse("null");
    const { service } = await openShop({ contacts: { ...contacts, list: () => list } });
    await expect(service.contacts.list("acc_1", {}, page)).rejects.toThrow("contacts.list answered no list");
  });

  it("a page that does not go on", async () => {
    const list = (): Listed<KeptContact>[] => ["c", "b", "a"].map((id) => listed(contactOf(id), [id]));
    const { service } = await openShop({ contacts: { ...contacts, list } });
    const { meta } = await service.contacts.list("acc_1", {}, page);
    const cursor = String(meta.next_cursor);
    await expect(service.contacts.list("acc_1", {}, { ...page, cursor })).rejects.toThrow(/behind `after`/);
  });

  it("a page that begins with the row before it", async () => {
    const list = (_accountId: string, _filters: object, { limit, after }: ListPage): Listed<KeptContact>[] =>
      ["c", "b", "a"]
        .filter((id) => id <= String(after?.[0] ?? "z"))
        .map((id) => listed(contactOf(id), [id]))
        .slice(0, limit);
    const { service } = await openShop({ contacts: { ...contacts, list } });
    const { meta } = await service.contacts.list("acc_1", {}, page);
    const cursor = String(meta.next_cursor);
    await expect(service.contacts.list("acc_1", {}, { ...page, cursor })).rejects.toThrow(/behind `after`/);
  });

  it("another contact", async () => {
    const { service } = await openShop({ contacts: { ...contacts, get: () => contactOf("12") } });
    await expect(service.contacts.get("acc_1", "12abc")).rejects.toThrow(
      "another contact than it was asked for",
    );
  });

  it("a time that is none", async () => {
    const get = (): KeptContact => contactOf("a", { created_at: new Date(Number.NaN) });
    const { service } = await openShop({ contacts: { ...contacts, get } });
    await expect(service.contacts.get("acc_1", "a")).rejects.toThrow(
      /contacts\.get .* created_at: must be a Date/,
    );
  });

  it("an order of nobody's, and another order", async () => {
    let kept: KeptOrder = JSON.parse("{}");
    const { service } = await openShop({ orders: { ...orders, get: () => kept } });
    await expect(service.orders.get("acc_1", "a")).rejects.toThrow(
      /orders\.get .* data: must be an object|is required/,
    );
    kept = { project_id: "site_1", data: order };
    await expect(service.orders.get("acc_1", "a")).rejects.toThrow("another order than it was asked for");
    kept = { project_id: "site_1", data: { ...order, created_at: new Date(Number.NaN) } };
    await expect(service.orders.get("acc_1", order.id)).rejects.toThrow(/created_at: must be/);
  });

  it("a list of orders of which one is another account's", async () => {
    const row = { project_id: "site_2", data: order };
    const { service } = await openShop({ orders: { ...orders, list: () => [{ position: [1], row }] } });
    await expect(service.orders.list("acc_1", {}, page)).rejects.toThrow(/^orders\.list .* acc_1 .* site_2/);
  });

  it("a contact or a post of something else, and no answer", async () => {
    const answers: unknown[] = [
      undefined,
      { contact: contactOf("a") },
      { contact: contactOf("a", { email: "b@example.com" }), created: true },
      { contact: contactOf("a", { email: "ada@example.com", project_id: "site_2" }), created: true },
    ];
    const upsert: ContactRepository["upsert"] = () => JSON.parse(JSON.stringify(answers.shift() ?? null));
    const create: BlogPostRepository["create"] = (accountId, sent, rules) =>
      blogPosts.create(accountId, { ...sent, project_id: "site_2" }, rules);
    const { service } = await openShop({ contacts: { ...contacts, upsert }, blogPosts: { create } });
    for (const message of [
      /no \{ contact, created \}/,
      /no \{ contact/,
      /another contact/,
      /another contact/,
    ])
      await expect(service.contacts.write("acc_1", write)).rejects.toThrow(message);
    await expect(service.blogPosts.create("acc_1", draft)).rejects.toThrow("a post of another site");
  });

  it("one of another account, asked for by its id, is told from none by nobody but the log", async () => {
    const foreign = { project_id: "site_2" };
    const { service, faults } = await openShop({
      contacts: { ...contacts, get: (_, id) => contactOf(id, foreign) },
      orders: { ...orders, get: (_, id) => ({ ...foreign, data: { ...order, id } }) },
    });
    const none = { code: "resource_not_found", message: "No such contact on this account." };
    await expect(service.contacts.get("acc_1", "a")).rejects.toMatchObject(none);
    await expect(service.orders.get("acc_1", "a")).rejects.toMatchObject({ code: "resource_not_found" });
    expect(faults).toMatchObject([
      { message: expect.stringMatching(/^contacts\.get .* acc_1 .* site_2/) },
      { message: expect.stringMatching(/^orders\.get .* acc_1 .* site_2/) },
    ]);
  });
});

describe("a repository that does not answer", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("is waited for no longer than whoever asked would wait, and what it says later is told", async () => {
    const { promise, reject: fail } = Promise.withResolvers<never>();
    const get = (): Promise<never> => promise;
    const { service, faults } = await openShop({ contacts: { ...contacts, get } });
    const [refused] = await Promise.allSettled([
      service.contacts.get("acc_1", "a"),
      vi.advanceTimersByTimeAsync(4_500),
    ]);
    expect(refused).toMatchObject({
      reason: { code: "unavailable", message: "contacts.get has not answered for 4.5 s" },
    });
    expect(faults).toEqual([]);
    const late = new Error("the connection is gone");
    fail(late);
    await vi.advanceTimersByTimeAsync(0);
    expect(faults).toEqual([late]);
  });

  it("leaves no timer behind once it has answered, or thrown", async () => {
    const list = (): never => {
      throw new Error("no connection");
    };
    const { service } = await openShop({ contacts: { ...contacts, list } });
    await service.contacts.get("acc_1", "a");
    await expect(service.contacts.list("acc_1", {}, page)).rejects.toThrow("no connection");
    expect(vi.getTimerCount()).toBe(0);
  });
});
