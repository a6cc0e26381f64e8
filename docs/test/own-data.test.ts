import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sampleDeliveryBody } from "@hookwright/domain";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { repositoryContractCases } from "hookwright/repository-contract";
import { makeFolder } from "./support/make-folder.ts";
import { startExample } from "./support/start-example.ts";
import { database } from "../examples/own-data/database.ts";
import { blogPosts } from "../examples/own-data/blog-posts.ts";
import { contacts } from "../examples/own-data/contacts.ts";
import { orders, saveOrder } from "../examples/own-data/orders.ts";
import { close, hookwright, placeOrder } from "../examples/own-data/shop.ts";

const secret = "a test secret of 32 characters!!";

// The examples open their files when they are imported, so this runs first.
const folder = await vi.hoisted(async () => {
  const { mkdtempSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const made = mkdtempSync(`${tmpdir()}/hookwright-docs-`);
  Object.assign(process.env, { DATA: made, HOOKWRIGHT_SECRET: "a test secret of 32 characters!!" });
  return made;
});

const { id: _, ...sample } = sampleDeliveryBody("order.created").data;
let key = "";

beforeAll(async () => {
  await hookwright.accounts.put("acc_bakery", { plan: { blog_posts_per_site: 3 } });
  key = (await hookwright.apiKeys.create("acc_bakery", { name: "test" })).api_key;
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly rows: readonly { readonly id: string; readonly email?: string; readonly number?: string }[];
  readonly body: { readonly data?: object; readonly meta?: { readonly next_cursor: string | null } };
}

async function call(target: string, json?: object): Promise<Answer> {
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

it(
  "the own-data example listens, keeps its key after a restart, and exits with code 0",
  { timeout: 60_000 },
  async () => {
    const environment = { HOOKWRIGHT_SECRET: secret, DATA: await makeFolder() };
    let apiKey = "";
    for (const isFirst of [true, false]) {
      await using server = await startExample("own-data/server", environment);
      const [, shown = ""] = /API key, shown only now: (hwk_\S+)/u.exec(server.printed()) ?? [];
      expect(shown === "").toBe(!isFirst);
      apiKey ||= shown;
      const answered = await fetch(`${server.origin}/v1/contacts`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect(await answered.json()).toMatchObject({ data: [], meta: { has_more: false } });
      expect(await server.stop()).toEqual({ code: 0, signal: null });
    }
  },
);

it("the contract tests pass with `node --test`, as in the guide", { timeout: 60_000 }, async () => {
  const file = fileURLToPath(new URL("../examples/own-data/repositories.test.ts", import.meta.url));
  const args = ["--test", "--test-reporter=tap", "--test-isolation=none", file];
  // With this variable, a nested `node --test` would report to the outer test runner.
  const env = { ...process.env, DATA: await makeFolder(), NODE_TEST_CONTEXT: undefined };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout).toContain(`\n# pass ${repositoryContractCases.length}\n`);
});

it.each(repositoryContractCases)("contract of the shop's database, $part: $name", async ({ run }) => {
  await expect(run(() => ({ contacts, orders, saveOrder, blogPosts }))).resolves.toBeUndefined();
});

describe("the shop with its own data", () => {
  it("stores contacts from the API and customers of its orders", async () => {
    const ada = { project_id: "site_shop", email: "Ada@example.com", phone: "1", tags: ["a"] };
    expect((await call("POST /contacts", ada)).status).toBe(201);
    expect(await call("POST /contacts", { ...ada, phone: "", tags: ["b"] })).toMatchObject({
      status: 200,
      body: { data: { email: "ada@example.com", phone: "1", tags: ["a", "b"] } },
    });
    const customer = { name: "Ada Lovelace", email: "ADA@example.com", phone: "2" };
    const { id } = await placeOrder("site_shop", { ...sample, customer });
    expect(id).toMatch(/^order\.created_\d+$/u);
    const { rows } = await call("GET /contacts?email=ada@example.com");
    expect(rows).toMatchObject([{ name: "Ada Lovelace", phone: "1", notes: null, tags: ["a", "b"] }]);
    expect(await call(`GET /contacts/${rows[0]?.id}`)).toMatchObject({
      status: 200,
      body: { data: rows[0] },
    });
    const count = database.prepare("SELECT count(*) AS found FROM contacts WHERE site = 'site_shop'");
    expect(count.get()).toEqual({ found: 1 });
    // An unknown contact, and a list of several pages.
    expect((await call("GET /contacts/x")).status).toBe(404);
    for (const name of ["grace", "joan", "mary"])
      await call("POST /contacts", { project_id: "site_shop", email: `${name}@example.com` });
    const first = await call("GET /contacts?project_id=site_shop&limit=3");
    expect(first.rows.map(({ email }) => email?.split("@")[0])).toEqual(["mary", "joan", "grace"]);
    const second = await call(
      `GET /contacts?project_id=site_shop&limit=3&cursor=${first.body.meta?.next_cursor}`,
    );
    expect([second.rows.map(({ email }) => email), second.body.meta]).toEqual([
      ["ada@example.com"],
      { has_more: false, next_cursor: null },
    ]);
  });

  it("lists orders from its own table, newest first, in the form of webhooks", async () => {
    const ids = new Map<string, string>();
    for (const [number, created_at, status] of [
      ["old", "2020-01-01T00:00:00Z", "paid"],
      ["b", "2027-01-01T00:00:00Z", "pending"],
      ["a", "2027-01-01T00:00:00Z", "paid"],
    ] as const) {
      const { id } = await placeOrder("site_shop", { ...sample, number, status, created_at });
      ids.set(number, id.replace("order.created_", ""));
    }
    // This order is never published.
    const data = { ...sample, id: "new", number: "c", created_at: "2026-12-01T00:00:00Z" };
    ids.set("c", saveOrder("acc_bakery", { project_id: "site_shop", data }));
    const numbersOf = ({ rows }: Answer) => rows.map(({ number }) => number);
    const first = await call("GET /orders?limit=2");
    expect(numbersOf(first)).toEqual(["a", "b"]);
    const rest = await call(`GET /orders?limit=2&cursor=${first.body.meta?.next_cursor}`);
    expect(numbersOf(rest)).toEqual(["c", sample.number]);

    // The changed time moves the order in the list, and the changed address finds it.
    const changed = {
      ...sample,
      id: ids.get("b") ?? "",
      number: "b",
      customer: { ...sample.customer, email: " ÄDA@example.com " },
      created_at: "2019-01-01T00:00:00Z",
    };
    saveOrder("acc_bakery", { project_id: "site_shop", data: changed });
    expect(numbersOf(await call("GET /orders"))).toEqual(["a", "c", sample.number, "old", "b"]);
    expect((await call(`GET /orders?email=${encodeURIComponent("äda@example.com")}`)).rows).toMatchObject([
      { id: changed.id },
    ]);
    const again = { ...sample, id: changed.id, number: "b", created_at: "2027-01-01T00:00:00Z" };
    saveOrder("acc_bakery", { project_id: "site_shop", data: again });
    for (const [query, numbers] of [
      ["status=paid", ["a", "old"]],
      ["number=b", ["b"]],
      ["email=ADA@Example.com&status=pending", ["b", "c", sample.number]],
      ["project_id=site_shop&email=nobody@example.com", []],
    ] as const)
      expect([query, numbersOf(await call(`GET /orders?${query}`))]).toEqual([query, numbers]);
    expect((await call(`GET /orders/${changed.id}`)).body.data).toEqual(again);
    for (const id of ["ord_x", `0${changed.id}`, `${changed.id}.0`])
      expect((await call(`GET /orders/${id}`)).status).toBe(404);
  });

  it("stores drafts with unique slugs, up to the plan's limit", async () => {
    const draft = { project_id: "site_shop", title: "Winter hours" };
    const slugs = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { status, body } = await call("POST /blog-posts", draft);
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
