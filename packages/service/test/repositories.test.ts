import { HookwrightError } from "@hookwright/domain";
import type { KeptContact, KeptOrder } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { describe, expect, it, vi } from "vitest";
import type { BlogPostRepository } from "../src/repositories/blog-post-repository.ts";
import type { ContactRepository } from "../src/repositories/contact-repository.ts";
import { contactKey, mergeCustomer } from "../src/repositories/merge-contact.ts";
import type { MergedContact } from "../src/repositories/merge-contact.ts";
import type { Listed } from "../src/repositories/repository.ts";
import {
  blogPosts,
  contactOf,
  contacts,
  draft,
  listThree,
  openShop,
  order,
  orders,
  page,
  write,
} from "./support/host-shop.ts";

const notFound = { code: "resource_not_found" };
const time = "2026-11-20T09:30:00Z";

describe("a repository of the host", () => {
  it("may answer synchronously with dates and extra fields, which are converted to the wire form", async () => {
    const get = (_: string, id: string): KeptContact =>
      Object.assign(contactOf(id), {
        password: "secret",
        name: " ",
        phone: undefined,
        tags: [" vip", "vip", "", "new"],
      });
    const { service } = await openShop({ contacts: { ...contacts, get }, orders, blogPosts });
    expect(await service.contacts.get("acc_1", "a")).toEqual({
      ...contactOf("a"),
      tags: ["vip", "new"],
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
      status: "draft",
      created_at: time,
    });
    expect(JSON.parse((await service.orders.get("acc_1", "ord_9")).json)).toEqual({ ...order, id: "ord_9" });
  });

  it("may return an ORM row whose fields are getters of its class", async () => {
    class Row {
      get id() {
        return "ord_9";
      }
      get created_at() {
        return new Date("2026-11-20T09:30:00.750Z");
      }
    }
    const { id: _, created_at: __, ...rest } = order;
    const data: KeptOrder["data"] = Object.assign(new Row(), rest);
    const { service } = await openShop({
      orders: { ...orders, get: () => ({ project_id: "site_1", data }) },
    });
    expect(JSON.parse((await service.orders.get("acc_1", "ord_9")).json)).toEqual({
      ...order,
      id: "ord_9",
      created_at: time,
    });
  });

  it("may return orders that were never published; their numbers and dates are normalised", async () => {
    const created_at = new Date("2026-11-20T09:30:00.750Z");
    const { note: _, ...unnoted } = order;
    const row = (id: string): KeptOrder => ({
      project_id: "site_1",
      data: { ...unnoted, id, created_at, total: 0.1 + 0.2 },
    });
    const { service } = await openShop({
      orders: { get: (_, id) => row(id), list: () => [{ position: [1], row: row("ord_9") }] },
    });
    const expected = { ...order, id: "ord_9", created_at: time, total: 0.3, note: null };
    const { rows } = await service.orders.list("acc_1", {}, page);
    expect(rows.map(({ json }) => JSON.parse(json))).toEqual([expected]);
    expect(JSON.parse((await service.orders.get("acc_1", "ord_9")).json)).toEqual(expected);
  });

  it("is paged by its positions, which cursors contain", async () => {
    const list = vi.fn(listThree);
    const { service } = await openShop({ contacts: { ...contacts, list } });
    const first = await service.contacts.list("acc_1", { project_id: "site_1" }, page);
    expect(first.rows.map(({ id }) => id)).toEqual(["c", "b"]);
    expect(first.meta).toEqual({ has_more: true, next_cursor: expect.any(String) });
    const next = { ...page, cursor: String(first.meta.next_cursor) };
    const second = await service.contacts.list("acc_1", { project_id: "site_1" }, next);
    expect(second).toMatchObject({ rows: [{ id: "a" }], meta: { has_more: false, next_cursor: null } });
    const filters = { email: undefined, project_id: "site_1" };
    expect(list.mock.calls).toEqual([
      ["acc_1", filters, { limit: 3, after: undefined, signal: expect.any(AbortSignal) }],
      ["acc_1", filters, { limit: 3, after: ["b"], signal: expect.any(AbortSignal) }],
    ]);
    for (const refused of [
      service.contacts.list("acc_2", {}, next),
      service.contacts.list("acc_1", {}, next),
      service.orders.list("acc_1", {}, next),
    ])
      await expect(refused).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  it("refuses cursors of the store's list, and the store refuses cursors of the repository's list", async () => {
    const { service, store } = await openShop({});
    for (const name of ["ada", "grace", "joan"])
      await service.contacts.write("acc_1", { ...write, email: `${name}@example.com` });
    const { meta } = await service.contacts.list("acc_1", {}, page);
    const shop = await openShop({ contacts, store });
    const here = await shop.service.contacts.list("acc_1", {}, page);
    for (const [list, { next_cursor }] of [
      [shop.service.contacts.list, meta],
      [service.contacts.list, here.meta],
    ] as const)
      await expect(list("acc_1", {}, { ...page, cursor: String(next_cursor) })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
  });

  it("has no next page after a last page that is full", async () => {
    const { service } = await openShop({ contacts });
    expect(await service.contacts.list("acc_1", {}, { limit: 3 })).toMatchObject({
      rows: [{ id: "c" }, { id: "b" }, { id: "a" }],
      meta: { has_more: false, next_cursor: null },
    });
  });

  it("is not called with an invalid id or a site of another account", async () => {
    const get = vi.fn(() => undefined);
    const list = vi.fn(() => []);
    const upsert = vi.fn(contacts.upsert);
    const create = vi.fn(blogPosts.create);
    const { service } = await openShop({
      contacts: { get, list, upsert },
      orders: { get, list },
      blogPosts: { create },
    });
    await expect(service.contacts.get("acc_1", "../a")).rejects.toMatchObject(notFound);
    await expect(service.orders.get("acc_1", "a b")).rejects.toMatchObject(notFound);
    const foreign = { project_id: "site_2" };
    const refused = { code: "validation_failed" };
    await expect(service.contacts.list("acc_1", foreign, page)).rejects.toMatchObject(refused);
    await expect(service.orders.list("acc_1", foreign, page)).rejects.toMatchObject(refused);
    await expect(service.contacts.write("acc_1", { ...write, ...foreign })).rejects.toMatchObject(refused);
    await expect(service.contacts.write("acc_1", { ...write, email: "x" })).rejects.toMatchObject(refused);
    await expect(service.blogPosts.create("acc_1", { ...draft, ...foreign })).rejects.toMatchObject(refused);
    for (const mock of [get, list, upsert, create]) expect(mock).not.toHaveBeenCalled();
  });

  it("may return an invalid contact of another site, which does not exist for a key of one site", async () => {
    const get = () => contactOf("a", { project_id: "site_2", email: "no address" });
    const { service, errors } = await openShop({ contacts: { ...contacts, get } });
    await expect(service.contacts.get("acc_1", "a", "site_1")).rejects.toMatchObject(notFound);
    expect(errors).toEqual([]);
  });

  it.each([undefined, null])("may return %s for a missing row", async (none) => {
    const get = (): typeof none => none;
    const { service, errors } = await openShop({
      contacts: { ...contacts, get },
      orders: { ...orders, get },
    });
    await expect(service.contacts.get("acc_1", "a")).rejects.toMatchObject(notFound);
    await expect(service.orders.get("acc_1", "a")).rejects.toMatchObject(notFound);
    expect(errors).toEqual([]);
  });

  it("replaces the contacts in the store, also for customers of orders", async () => {
    const { service, store } = await openShop({ contacts });
    await service.contacts.write("acc_1", write);
    await service.publish({ event: "order.created", project_id: "site_1", data: order });
    expect((await service.orders.list("acc_1", {}, page)).rows).toHaveLength(1);
    const rows = await store.list({ prefix: [partitionOf("acc_1")], limit: 1_000 });
    expect(rows.map(({ key: [, kind] }) => kind)).not.toContain("contact");
    expect(rows.map(({ key: [, kind] }) => kind)).toContain("record");
  });
});

describe("a contact that the host stores", () => {
  /** A host that has this contact or none, and the results of `merge`. */
  async function openWith(stored: KeptContact | null) {
    const merged: MergedContact[] = [];
    const upsert: ContactRepository["upsert"] = (_accountId, key, merge) => {
      merged.push(merge(stored));
      return contactOf("ada", { ...key, ...merged.at(-1)?.fields });
    };
    const { service } = await openShop({ contacts: { ...contacts, upsert } });
    return { service, merged };
  }

  it("is merged by the rules for contacts, and `changed` is false if nothing changes", async () => {
    const { phone: _, ...stored } = contactOf("ada", { email: "ada@example.com", name: "Ada", tags: ["a"] });
    const { service, merged } = await openWith(stored);
    expect(await service.contacts.write("acc_1", { ...write, name: " ", tags: ["a"] })).toMatchObject({
      created: false,
    });
    await service.contacts.write("acc_1", { ...write, name: "Ada Lovelace", notes: "VIP", tags: ["b"] });
    const fields = { name: "Ada", phone: null, notes: null, tags: ["a"] };
    expect(merged).toEqual([
      { fields, changed: false },
      { fields: { name: "Ada Lovelace", phone: null, notes: "VIP", tags: ["a", "b"] }, changed: true },
    ]);
  });

  it("is new if the database returns null", async () => {
    const { service, merged } = await openWith(null);
    expect(await service.contacts.write("acc_1", write)).toMatchObject({ created: true });
    expect(merged).toEqual([{ fields: { name: "Ada", phone: null, notes: null, tags: [] }, changed: true }]);
  });

  it("is not new if a repeated transaction finds it", async () => {
    const upsert: ContactRepository["upsert"] = (_accountId, key, merge) => {
      merge(undefined);
      return contactOf("ada", { ...key, ...merge(contactOf("ada", { name: "Ada" })).fields });
    };
    const { service } = await openShop({ contacts: { ...contacts, upsert } });
    expect(await service.contacts.write("acc_1", write)).toMatchObject({ created: false });
  });

  it("may be refused by `merge`, even if the database wraps or swallows the error", async () => {
    const tags = Array.from({ length: 1_000 }, (_, index) => String(index));
    const upsert: ContactRepository["upsert"] = (_accountId, key, merge) => {
      try {
        return contactOf("ada", { ...key, ...merge({ tags }).fields });
      } catch (error) {
        throw new Error("the transaction was rolled back", { cause: error });
      }
    };
    const refused = {
      code: "validation_failed",
      message: expect.stringContaining("tags: must not exceed 1000"),
    };
    const { service } = await openShop({ contacts: { ...contacts, upsert } });
    const input = { ...write, tags: ["one more"] };
    await expect(service.contacts.write("acc_1", input)).rejects.toMatchObject(refused);
    // This database swallows the error and returns the old row.
    const swallow: ContactRepository["upsert"] = (accountId, key, merge, call) => {
      try {
        return upsert(accountId, key, merge, call);
      } catch {
        return contactOf("ada", key);
      }
    };
    const other = await openShop({ contacts: { ...contacts, upsert: swallow } });
    await expect(other.service.contacts.write("acc_1", input)).rejects.toMatchObject(refused);
  });

  it("gets only its blank fields from a customer", () => {
    const merge = mergeCustomer({ name: "Ada Lovelace", phone: "2" });
    expect(merge(undefined).fields).toEqual({ name: "Ada Lovelace", phone: "2", notes: null, tags: [] });
    expect(merge({ name: "", phone: "1", tags: null })).toEqual({
      fields: { name: "Ada Lovelace", phone: "1", notes: null, tags: [] },
      changed: true,
    });
    expect(merge({ name: "Ada", phone: "1" }).changed).toBe(false);
    expect(contactKey("site_1", " Ada@Example.com ")).toEqual({
      project_id: "site_1",
      email: "ada@example.com",
    });
  });
});

describe("a draft that the host stores", () => {
  it("can be refused with a HookwrightError of the host", async () => {
    const refusal = new HookwrightError("validation_failed", "title: is taken");
    const { service, errors } = await openShop({
      blogPosts: {
        create() {
          throw refusal;
        },
      },
    });
    await expect(service.blogPosts.create("acc_1", draft)).rejects.toBe(refusal);
    expect(errors).toEqual([]);
  });

  it("is subject to the plan's limit, which the repository gets and checks", async () => {
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

  it("gets the slug candidates from the start in every iteration", async () => {
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

  it("has the status `draft`, whatever the host returns", async () => {
    const create: BlogPostRepository["create"] = async (accountId, sent, rules) =>
      Object.assign(await blogPosts.create(accountId, sent, rules), { status: "hidden", excerpt: undefined });
    const { service } = await openShop({ blogPosts: { create } });
    expect(await service.blogPosts.create("acc_1", draft)).toMatchObject({ status: "draft", excerpt: null });
  });
});

it("a list leaves out an invalid row and logs its position", async () => {
  const list = (): Listed<KeptContact>[] => [
    { position: [3], row: contactOf("c") },
    { position: [2, "b"], row: contactOf("b", { email: "x" }) },
    { position: [1], row: contactOf("a") },
  ];
  const { service, errors } = await openShop({ contacts: { ...contacts, list } });
  expect(await service.contacts.list("acc_1", {}, page)).toMatchObject({
    rows: [{ id: "c" }],
    meta: { has_more: true },
  });
  expect(errors).toMatchObject([
    {
      code: "invalid_answer",
      message: 'contacts.list answered at [2,"b"] invalid data: email: must be an e-mail address',
    },
  ]);
});
