import { sampleDeliveryBody } from "@hookwright/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repositoryContractCases } from "hookwright/repository-contract";
import { startExample } from "./support/start-example.ts";
import { database } from "../examples/own-data/database.ts";
import { blogPosts } from "../examples/own-data/blog-posts.ts";
import { contacts } from "../examples/own-data/contacts.ts";
import { orders, saveOrder } from "../examples/own-data/orders.ts";
import { hookwright, placeOrder } from "../examples/own-data/shop.ts";

const { data: sample } = sampleDeliveryBody("order.created");
let key = "";

beforeAll(async () => {
  await hookwright.accounts.put("acc_bakery", { plan: { blog_posts_per_site: 3 } });
  key = (await hookwright.apiKeys.create("acc_bakery", { name: "test" })).api_key;
});
afterAll(() => hookwright.close());

interface Asked {
  readonly status: number;
  readonly rows: readonly { readonly id: string; readonly email?: string }[];
  readonly body: { readonly data?: object; readonly meta?: { readonly next_cursor: string | null } };
}

async function ask(target: string, json?: object): Promise<Asked> {
  const [method = "", path = ""] = target.split(" ");
  const response = await hookwright.fetch(
    new Request(`http://localhost/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  );
  const body = await response.json();
  return { status: response.status, body, rows: Array.isArray(body.data) ? body.data : [] };
}

it("listens, and ends in good order", { timeout: 60_000 }, async () => {
  await using server = await startExample("own-data/server");
  const [, apiKey = ""] = /Bearer (hwk_\S+)"/u.exec(server.printed()) ?? [];
  const answered = await fetch(`${server.origin}/v1/contacts`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(await answered.json()).toMatchObject({ data: [], meta: { has_more: false } });
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

it.each(repositoryContractCases)("in the shop's database, $part: $name", async ({ run }) => {
  await expect(run(() => ({ contacts, orders, saveOrder, blogPosts }))).resolves.toBeUndefined();
});

describe("the shop that keeps its data itself", () => {
  it("has the contacts that others write, and the customers of its orders", async () => {
    const ada = { project_id: "site_shop", email: "Ada@example.com", phone: "1", tags: ["a"] };
    expect((await ask("POST /contacts", ada)).status).toBe(201);
    expect(await ask("POST /contacts", { ...ada, phone: "", tags: ["b"] })).toMatchObject({
      status: 200,
      body: { data: { email: "ada@example.com", phone: "1", tags: ["a", "b"] } },
    });
    const customer = { name: "Ada Lovelace", email: "ADA@example.com", phone: "2" };
    await placeOrder("site_shop", { ...sample, customer });
    const { rows } = await ask("GET /contacts?email=ada@example.com");
    expect(rows).toMatchObject([{ name: "Ada Lovelace", phone: "1", notes: null, tags: ["a", "b"] }]);
    expect(await ask(`GET /contacts/${rows[0]?.id}`)).toMatchObject({ status: 200, body: { data: rows[0] } });
    const count = database.prepare("SELECT count(*) AS found FROM contacts WHERE site = 'site_shop'");
    expect(count.get()).toEqual({ found: 1 });
    // The sites of others, and contacts that there are not.
    expect((await ask("GET /contacts/x")).status).toBe(404);
    for (const name of ["grace", "joan", "mary"])
      await ask("POST /contacts", { project_id: "site_shop", email: `${name}@example.com` });
    const first = await ask("GET /contacts?project_id=site_shop&limit=3");
    expect(first.rows.map(({ email }) => email?.split("@")[0])).toEqual(["mary", "joan", "grace"]);
    const second = await ask(
      `GET /contacts?project_id=site_shop&limit=3&cursor=${first.body.meta?.next_cursor}`,
    );
    expect([second.rows.map(({ email }) => email), second.body.meta]).toEqual([
      ["ada@example.com"],
      { has_more: false, next_cursor: null },
    ]);
  });

  it("answers orders from its own table, newest first, in the shape of webhooks", async () => {
    for (const [id, created_at, status] of [
      ["ord_old", "2020-01-01T00:00:00Z", "paid"],
      ["ord_b", "2027-01-01T00:00:00Z", "pending"],
      ["ord_a", "2027-01-01T00:00:00Z", "paid"],
    ] as const)
      await placeOrder("site_shop", { ...sample, id, number: id, status, created_at });
    // Stored, and never published.
    saveOrder("acc_bakery", {
      project_id: "site_shop",
      data: { ...sample, id: "ord_c", number: "ord_c", created_at: new Date("2026-12-01T00:00:00Z") },
    });
    const first = await ask("GET /orders?limit=2");
    expect(first.rows.map(({ id }) => id)).toEqual(["ord_a", "ord_b"]);
    const rest = await ask(`GET /orders?limit=2&cursor=${first.body.meta?.next_cursor}`);
    expect(rest.rows.map(({ id }) => id)).toEqual(["ord_c", sample.id]);
    // Placed at another time, it stands in another place, and is found by another address.
    const customer = { ...sample.customer, email: " ÄDA@example.com " };
    await placeOrder("site_shop", { ...sample, id: "ord_b", customer, created_at: "2019-01-01T00:00:00Z" });
    expect((await ask("GET /orders")).rows.map(({ id }) => id)).toEqual([
      "ord_a",
      "ord_c",
      sample.id,
      "ord_old",
      "ord_b",
    ]);
    expect((await ask(`GET /orders?email=${encodeURIComponent("äda@example.com")}`)).rows).toMatchObject([
      { id: "ord_b" },
    ]);
    await placeOrder("site_shop", {
      ...sample,
      id: "ord_b",
      number: "ord_b",
      created_at: "2027-01-01T00:00:00Z",
    });
    for (const [query, ids] of [
      ["status=paid", ["ord_a", "ord_old"]],
      ["number=ord_b", ["ord_b"]],
      ["email=ADA@Example.com&status=pending", ["ord_b", "ord_c", sample.id]],
      ["project_id=site_shop&email=nobody@example.com", []],
    ] as const)
      expect([query, (await ask(`GET /orders?${query}`)).rows.map(({ id }) => id)]).toEqual([query, ids]);
    expect((await ask("GET /orders/ord_b")).body.data).toEqual({
      ...sample,
      id: "ord_b",
      number: "ord_b",
      created_at: "2027-01-01T00:00:00Z",
    });
    expect((await ask("GET /orders/ord_x")).status).toBe(404);
  });

  it("gets the drafts, under slugs of their own, as many as the plan allows", async () => {
    const draft = { project_id: "site_shop", title: "Winter hours" };
    const slugs = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { status, body } = await ask("POST /blog-posts", draft);
        return [status, JSON.stringify(body).match(/"slug":"([^"]+)"|plan_limit_reached/u)?.[0]];
      }),
    );
    expect(slugs.toSorted()).toEqual([
      [201, '"slug":"winter-hours"'],
      [201, '"slug":"winter-hours-2"'],
      [201, '"slug":"winter-hours-3"'],
      [403, "plan_limit_reached"],
    ]);
    const count = database.prepare("SELECT count(*) AS found FROM posts WHERE site = 'site_shop'");
    expect(count.get()).toEqual({ found: 3 });
  });
});
