import { describe, expect, it } from "vitest";
import { createClient } from "../src/create-client.ts";
import { failureOf } from "./support/failure-of.ts";
import { openWorld } from "./support/open-world.ts";
import { page, scriptedFetch, success } from "./support/scripted-fetch.ts";
import type { Step } from "./support/scripted-fetch.ts";

const connect = (...steps: readonly Step[]) => {
  const script = scriptedFetch(...steps);
  const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch: script.fetch });
  return { client, requests: script.requests };
};

async function openOrders(count: number) {
  const world = await openWorld();
  for (let number = 1; number <= count; number += 1)
    await world.order(number, { status: number % 2 === 0 ? "paid" : "pending" });
  return world;
}

describe("a list of the real API", () => {
  it("returns each row of all pages once, with its filters", async () => {
    await using world = await openOrders(11);
    const numbers: string[] = [];
    for await (const { number } of world.client.orders.list({ status: "paid", limit: 2 }))
      numbers.push(number);
    expect(numbers).toEqual(["10", "8", "6", "4", "2"]);
    expect(world.requests).toHaveLength(3);
    expect(world.requests.every((request) => request.includes("status=paid&limit=2"))).toBe(true);
  });

  it("requests a page when its first row is needed, and none after a break", async () => {
    await using world = await openOrders(6);
    const seen: number[] = [];
    for await (const { number } of world.client.orders.list({ limit: 2 })) {
      seen.push(world.requests.length);
      if (number === "4") break;
    }
    expect(seen).toEqual([1, 1, 2]);
    expect(world.requests).toHaveLength(2);
  });

  it("sends no request before it is read, and starts again each time", async () => {
    await using world = await openOrders(2);
    const list = world.client.orders.list();
    expect(world.requests).toEqual([]);
    expect(await list.toArray()).toEqual(await list.toArray());
    expect(world.requests).toEqual(["GET /v1/orders", "GET /v1/orders"]);
  });

  it("returns single pages from any cursor", async () => {
    await using world = await openOrders(3);
    const list = world.client.orders.list({ limit: 2 });
    const first = await list.page();
    expect(first.meta).toEqual({ has_more: true, next_cursor: expect.any(String) });
    const second = await list.page({ cursor: first.meta.next_cursor ?? "" });
    expect(second.meta).toEqual({ has_more: false, next_cursor: null });
    expect([...first.data, ...second.data].map(({ number }) => number)).toEqual(["3", "2", "1"]);
  });

  it("continues from the cursor of an earlier run", async () => {
    await using world = await openOrders(5);
    const list = world.client.orders.list({ limit: 2 });
    const { meta } = await list.page();
    const sizes: number[] = [];
    for await (const { data } of list.pages({ cursor: meta.next_cursor ?? "" })) sizes.push(data.length);
    expect(sizes).toEqual([2, 1]);
  });

  it("sends no request after its last page", async () => {
    await using world = await openOrders(1);
    const list = world.client.orders.list();
    const { meta } = await list.page();
    expect(meta.next_cursor).toBeNull();
    const behind = list.pages({ cursor: meta.next_cursor });
    expect(await behind.next()).toEqual({ done: true, value: undefined });
    expect(await list.page({ cursor: meta.next_cursor })).toEqual({ data: [], meta });
    expect(world.requests).toHaveLength(1);
  });

  it("accepts a cursor only for a page, not as a filter", async () => {
    await using world = await openOrders(1);
    const filters = { cursor: "made-up", limit: 1 };
    const list = world.client.orders.list(filters);
    await list.page();
    await list.toArray();
    expect(world.requests).toEqual(["GET /v1/orders?limit=1", "GET /v1/orders?limit=1"]);
  });

  it("omits a filter that is null", async () => {
    await using world = await openOrders(1);
    const untyped: object = { email: null };
    expect(await world.client.orders.list({ limit: 1, ...untyped }).toArray()).toHaveLength(1);
    expect(world.requests).toEqual(["GET /v1/orders?limit=1"]);
  });

  it("rejects a cursor of other filters", async () => {
    await using world = await openOrders(3);
    const { meta } = await world.client.orders.list({ limit: 1 }).page();
    const other = world.client.orders.list({ limit: 1, status: "paid" });
    expect((await failureOf(other.page({ cursor: meta.next_cursor ?? "" }))).code).toBe("invalid_cursor");
  });

  it("of every kind has pages", async () => {
    await using world = await openWorld();
    const { client } = world;
    await world.hookwright.emailLists.put("lst_1", { project_id: "site_1", name: "A" });
    await world.hookwright.emailLists.put("lst_2", { project_id: "site_1", name: "B" });
    for (const event of ["order.paid", "order.created"])
      await client.webhooks.create({ event, target_url: "https://example.com/hooks" });
    for (const email of ["a@example.com", "b@example.com"])
      await client.contacts.save({ project_id: "site_1", email });
    const before = world.requests.length;
    const limit = 1;
    expect(await client.projects.list({ limit }).toArray()).toHaveLength(2);
    expect(await client.emailLists.list({ limit, project_id: "site_1" }).toArray()).toHaveLength(2);
    expect(await client.webhooks.list({ limit }).toArray()).toHaveLength(2);
    expect(await client.contacts.list({ limit, project_id: "site_1" }).toArray()).toHaveLength(2);
    expect(world.requests).toHaveLength(before + 8);
  });

  it("ends between pages when the signal aborts", async () => {
    await using world = await openOrders(4);
    const controller = new AbortController();
    const list = world.client.orders.list({ limit: 2 }, { signal: controller.signal });
    const walk = async (): Promise<void> => {
      for await (const { number } of list) if (number === "3") controller.abort();
    };
    expect((await failureOf(walk())).code).toBe("aborted");
    expect(world.requests).toHaveLength(1);
  });
});

describe("an invalid list", () => {
  it("ends if a page refers to itself as the next", async () => {
    const { client, requests } = connect(page([{}], "again"), page([{}], "again"), page([], null));
    expect((await failureOf(client.projects.list().toArray())).code).toBe("unexpected_answer");
    expect(requests).toHaveLength(2);
  });

  it("ends if pages refer to each other", async () => {
    const { client, requests } = connect(
      page([], "a"),
      page([], "b"),
      page([], "a"),
      page([], "b"),
      page([], null),
    );
    expect((await failureOf(client.projects.list().toArray())).code).toBe("unexpected_answer");
    expect(requests).toHaveLength(3);
  });

  it("ends if a page refers to the first page", async () => {
    const { client, requests } = connect(page([], "b"), page([], "a"), page([], null));
    const walk = client.projects.list().pages({ cursor: "a" });
    await walk.next();
    await walk.next();
    expect((await failureOf(walk.next())).code).toBe("unexpected_answer");
    expect(requests).toHaveLength(2);
  });

  it("may have more rows per page than a call can have arguments", async () => {
    const { client } = connect(
      page(
        Array.from({ length: 200_000 }, () => ({})),
        null,
      ),
    );
    expect(await client.projects.list().toArray()).toHaveLength(200_000);
  });

  it.each([
    ["no meta", { success: true, data: [] }],
    ["more, and no way there", { success: true, data: [], meta: { has_more: true, next_cursor: null } }],
    ["more, and an empty way there", { success: true, data: [], meta: { has_more: true, next_cursor: "" } }],
    ["a cursor that is no text", { success: true, data: [], meta: { has_more: false, next_cursor: 7 } }],
    ["no list", { success: true, data: {}, meta: { has_more: false, next_cursor: null } }],
    ["a meta that does not say", { success: true, data: [], meta: { next_cursor: null } }],
    [
      "a meta that says something else",
      { success: true, data: [], meta: { has_more: "no", next_cursor: null } },
    ],
  ])("is rejected if it has %s", async (_, body) => {
    const { client } = connect(() => Response.json(body));
    expect((await failureOf(client.projects.list().page())).code).toBe("unexpected_answer");
  });

  it("ends with has_more false, even if there is a cursor", async () => {
    const { client, requests } = connect(() =>
      Response.json({ success: true, data: [{}], meta: { has_more: false, next_cursor: "more" } }),
    );
    expect(await client.projects.list().toArray()).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  it("is rejected as a single resource", async () => {
    const { client } = connect(success([]));
    expect((await failureOf(client.me())).code).toBe("unexpected_answer");
  });
});
