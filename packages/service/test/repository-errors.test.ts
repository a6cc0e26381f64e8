import type { KeptContact, KeptOrder } from "@hookwright/domain";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BlogPostRepository } from "../src/repositories/blog-post-repository.ts";
import type { ContactRepository } from "../src/repositories/contact-repository.ts";
import type { ListPage, Listed } from "../src/repositories/repository.ts";
import {
  blogPosts,
  contactOf,
  contacts,
  draft,
  listed,
  openShop,
  order,
  orders,
  page,
  write,
} from "./support/host-shop.ts";

const notFound = { code: "resource_not_found" };
const invalid = { name: "RepositoryError", code: "invalid_answer" };

describe("a list of a repository is refused if it contains", () => {
  it.each<[problem: string, list: ContactRepository["list"], message: RegExp]>([
    [
      "more rows than requested",
      () => Array.from({ length: 4 }, () => listed(contactOf("a"))),
      /4 rows instead of at most 3/,
    ],
    ["null instead of a list", () => JSON.parse("null"), /answered no list/],
    ["null instead of a row", () => JSON.parse("[null]"), /position is not a short list/],
    [
      "two rows with one position",
      () => ["b", "a"].map((id) => listed(contactOf(id))),
      /the same position twice/,
    ],
    [
      "a position of few characters but too many bytes",
      () => [listed(contactOf("a"), ["漢".repeat(200)])],
      /position is not a short list/,
    ],
    ["a row without a position", () => [listed(contactOf("a"), null)], /position is not a short list/],
    ["an empty position", () => [listed(contactOf("a"), [])], /position is not a short list/],
    ["a position with null", () => [listed(contactOf("a"), [null])], /position is not a short list/],
    [
      "an infinite position",
      () => [{ position: [Number.POSITIVE_INFINITY], row: contactOf("a") }],
      /position is not a short list/,
    ],
    ["a long position", () => [listed(contactOf("a"), ["x".repeat(497)])], /position is not a short list/],
  ])("%s", async (_problem, list, message) => {
    const { service } = await openShop({ contacts: { ...contacts, list } });
    await expect(service.contacts.list("acc_1", {}, page)).rejects.toMatchObject({
      ...invalid,
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["the first page again", () => true],
    ["the last row of the previous page", (id: string, after: string) => id <= after],
  ])("%s", async (_problem, isAfter) => {
    const list = (_accountId: string, _filters: object, { limit, after }: ListPage): Listed<KeptContact>[] =>
      ["c", "b", "a"]
        .filter((id) => isAfter(id, String(after?.[0] ?? "z")))
        .map((id) => listed(contactOf(id), [id]))
        .slice(0, limit);
    const { service } = await openShop({ contacts: { ...contacts, list } });
    const { meta } = await service.contacts.list("acc_1", {}, page);
    const cursor = String(meta.next_cursor);
    await expect(service.contacts.list("acc_1", {}, { ...page, cursor })).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining("not after `after`"),
    });
  });
});

describe("a list of a repository", () => {
  it("may contain positions of 500 bytes", async () => {
    const list = (): Listed<KeptContact>[] =>
      ["b", "a", "0"].map((id) => listed(contactOf(id), [id.repeat(496)]));
    const { service } = await openShop({ contacts: { ...contacts, list } });
    expect((await service.contacts.list("acc_1", {}, page)).meta.has_more).toBe(true);
  });
});

describe("an invalid row is logged and left out of a list:", () => {
  it.each<[problem: string, row: KeptContact, message: RegExp]>([
    ["of another account", contactOf("a", { project_id: "site_2" }), /of site site_2, .* account acc_1$/],
    ["with an invalid site id", contactOf("a", { project_id: "a/b" }), /project_id: must be 1 to 128/],
    ["with an invalid address", contactOf("a", { email: "x" }), /email: must be an e-mail/],
    ["with an id that a path cannot contain", contactOf("a/b"), /id: must be 1 to 128 characters/],
    [
      "with an invalid date",
      contactOf("a", { created_at: new Date(Number.NaN) }),
      /created_at: must be a Date/,
    ],
    [
      "with a date outside the supported range",
      contactOf("a", { created_at: new Date(-1e15) }),
      /created_at: must be a Date/,
    ],
    ["with another address", contactOf("a", { email: "grace@example.com" }), /a row that was not requested$/],
  ])("%s", async (_problem, row, message) => {
    const list = (): Listed<KeptContact>[] => [
      { position: [2], row: contactOf("b", { email: "ada@example.com" }) },
      { position: [1], row },
    ];
    const { service, errors } = await openShop({ contacts: { ...contacts, list } });
    const filters = message.source.includes("not requested") ? { email: "ADA@example.com" } : {};
    expect((await service.contacts.list("acc_1", filters, page)).rows.map(({ id }) => id)).toEqual(["b"]);
    expect(errors).toMatchObject([{ ...invalid, message: expect.stringMatching(message) }]);
  });

  it("of a site that was not requested", async () => {
    const { service, errors } = await openShop({ contacts });
    await service.projects.put("site_1b", { account_id: "acc_1", name: "Blog" });
    expect((await service.contacts.list("acc_1", { project_id: "site_1b" }, page)).rows).toEqual([]);
    expect(errors).toHaveLength(2);
  });

  it("an order that does not match a filter", async () => {
    const row: KeptOrder = { project_id: "site_1", data: order };
    const list = () => [{ position: [1], row }];
    const { service, errors } = await openShop({ orders: { ...orders, list } });
    await service.projects.put("site_1b", { account_id: "acc_1", name: "Blog" });
    const email = order.customer.email.toUpperCase();
    const matching = { project_id: "site_1", number: order.number, status: order.status, email };
    expect((await service.orders.list("acc_1", matching, page)).rows).toHaveLength(1);
    for (const [name, value] of [
      ["project_id", "site_1b"],
      ["number", "0"],
      ["status", order.status.toUpperCase()],
      ["email", "grace@example.com"],
    ] as const) {
      const { rows } = await service.orders.list("acc_1", { ...matching, [name]: value }, page);
      expect([name, rows]).toEqual([name, []]);
    }
    expect(errors).toHaveLength(4);
    const foreign = { ...row, project_id: "site_2" };
    const other = await openShop({ orders: { ...orders, list: () => [{ position: [1], row: foreign }] } });
    expect((await other.service.orders.list("acc_1", {}, page)).rows).toEqual([]);
    expect(other.errors).toMatchObject([{ message: expect.stringContaining("site_2") }]);
  });
});

describe("a row that is requested by id", () => {
  it("is logged and not found if it belongs to another account or has another id", async () => {
    const foreign = { project_id: "site_2" };
    const { service, errors } = await openShop({
      contacts: { ...contacts, get: (_, id) => (id === "12abc" ? contactOf("12") : contactOf(id, foreign)) },
      orders: {
        ...orders,
        get: (_, id) =>
          id === "ORD_1" ? { project_id: "site_1", data: order } : { ...foreign, data: { ...order, id } },
      },
    });
    const none = { ...notFound, message: "No such contact on this account." };
    await expect(service.contacts.get("acc_1", "a")).rejects.toMatchObject(none);
    await expect(service.contacts.get("acc_1", "12abc")).rejects.toMatchObject(none);
    await expect(service.orders.get("acc_1", "a")).rejects.toMatchObject(notFound);
    await expect(service.orders.get("acc_1", "ORD_1")).rejects.toMatchObject(notFound);
    expect(errors).toMatchObject([
      { message: "contacts.get answered a row of site site_2, which does not belong to account acc_1" },
      { message: "contacts.get answered a row that was not requested" },
      { message: expect.stringMatching(/^orders\.get .* site_2/) },
      { message: expect.stringMatching(/^orders\.get .* not requested/) },
    ]);
  });

  it("causes an error if it is invalid", async () => {
    let kept: KeptOrder = JSON.parse("{}");
    const { service } = await openShop({
      contacts: { ...contacts, get: (_, id) => contactOf(id, { email: "x" }) },
      orders: { ...orders, get: () => kept },
    });
    await expect(service.contacts.get("acc_1", "a")).rejects.toThrow(
      "contacts.get answered invalid data: email: must be an e-mail address",
    );
    await expect(service.orders.get("acc_1", "a")).rejects.toThrow(
      "project_id: must be the id of a site; data: must be an object",
    );
    kept = { project_id: "site_1", data: { ...order, total: "free" } };
    await expect(service.orders.get("acc_1", order.id)).rejects.toThrow(/data\.total: must be a number/);
  });
});

describe("a write is an error if the repository returns", () => {
  it.each<[problem: string, upsert: ContactRepository["upsert"], message: RegExp]>([
    ["without a call of `merge`", (_, key) => contactOf("a", key), /without a call of `merge`/],
    [
      "null",
      (_, __, merge) => JSON.parse(`[${Number(!merge(undefined))}, null]`)[1],
      /invalid data: contact: must be an object/,
    ],
    [
      "with another address",
      (_, key, merge) => contactOf("a", { ...key, ...merge(undefined).fields, email: "b@example.com" }),
      /a row that was not requested/,
    ],
    [
      "of another site",
      (_, key, merge) => contactOf("a", { ...key, ...merge(undefined).fields, project_id: "site_2" }),
      /of site site_2/,
    ],
  ])("a contact %s", async (_problem, upsert, message) => {
    const { service } = await openShop({ contacts: { ...contacts, upsert } });
    await expect(service.contacts.write("acc_1", write)).rejects.toMatchObject({
      ...invalid,
      message: expect.stringMatching(message),
    });
  });

  it.each<[problem: string, changes: object, message: RegExp]>([
    ["of another site", { project_id: "site_2" }, /a post of another site/],
    ["without a slug", { slug: " " }, /slug: must not be blank/],
    ["with an id that a path cannot contain", { id: "a/b" }, /id: must be 1 to 128/],
  ])("a post %s", async (_problem, changes, message) => {
    const create: BlogPostRepository["create"] = async (accountId, sent, rules) =>
      Object.assign(await blogPosts.create(accountId, sent, rules), changes);
    const { service } = await openShop({ blogPosts: { create } });
    await expect(service.blogPosts.create("acc_1", draft)).rejects.toMatchObject({
      ...invalid,
      message: expect.stringMatching(message),
    });
  });
});

describe("a repository that does not answer", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("causes an error after 4.5 s, and a later error is logged", async () => {
    const { promise, reject: fail } = Promise.withResolvers<never>();
    const signals: AbortSignal[] = [];
    const get: ContactRepository["get"] = (_accountId, _id, { signal }) => {
      signals.push(signal);
      return promise;
    };
    const { service, errors } = await openShop({ contacts: { ...contacts, get } });
    const [refused] = await Promise.allSettled([
      service.contacts.get("acc_1", "a"),
      vi.advanceTimersByTimeAsync(4_500),
    ]);
    expect(refused).toMatchObject({
      reason: { code: "unavailable", message: "contacts.get has not answered for 4.5 s" },
    });
    expect(signals[0]?.reason).toMatchObject({ code: "unavailable" });
    expect(errors).toEqual([]);
    const late = new Error("the connection is gone");
    fail(late);
    await vi.advanceTimersByTimeAsync(0);
    expect(errors).toEqual([late]);
  });

  it("is not logged if it rejects with the abort reason", async () => {
    const get: ContactRepository["get"] = (_accountId, _id, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { service, errors } = await openShop({ contacts: { ...contacts, get } });
    await Promise.allSettled([service.contacts.get("acc_1", "a"), vi.advanceTimersByTimeAsync(4_500)]);
    expect(errors).toEqual([]);
  });

  it("leaves no timer after an answer or an error", async () => {
    const list = (): never => {
      throw new Error("no connection");
    };
    const { service } = await openShop({ contacts: { ...contacts, list } });
    // The store has a timer for rows that expire.
    const before = vi.getTimerCount();
    await service.contacts.get("acc_1", "a");
    await expect(service.contacts.list("acc_1", {}, page)).rejects.toThrow("no connection");
    expect(vi.getTimerCount()).toBe(before);
  });
});
