import { describe, expect, it } from "vitest";
import { openWorld } from "./support/open-world.ts";
import type { Resource, World } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { hostsOwn, memory } from "./support/storages.ts";

const people = ["ada@example.com", "grace@example.com"];
const statuses = ["pending", "paid"];
const sites = ["site_1", "site_2"];

/** Orders of two sites, two customers and two statuses. Several have the same second, and one is back-filled. */
async function publishOrders(world: World, count = 12): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    event: index % 4 === 0 ? "order.paid" : "order.created",
    project_id: sites[index % 2],
    data: order(`ord_${index}`, {
      number: String(index % 5),
      status: statuses[Math.floor(index / 2) % 2],
      customer: { name: "X", email: people[Math.floor(index / 3) % 2], phone: null },
      created_at: index === 7 ? "2020-01-01T00:00:00Z" : `2026-11-20T09:30:0${Math.floor(index / 3)}Z`,
    }),
  }));
  const { data } = await world.host("POST /host/v1/events", events);
  expect(data).toHaveLength(count);
}

async function readAll(world: World, query: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  do {
    const { status, rows, meta } = await world.ask(`GET /v1/orders?limit=${limit}${query}${cursor}`);
    expect(status).toBe(200);
    ids.push(...rows.map(({ id }) => id));
    cursor = meta.next_cursor === null ? "" : `&cursor=${meta.next_cursor}`;
    expect(meta.has_more).toBe(cursor !== "");
  } while (cursor !== "");
  return ids;
}

interface ListedOrder extends Resource {
  readonly number: string;
  readonly status: string;
  readonly customer: { readonly email: string };
}

describe.each([memory, hostsOwn])("on $name, orders", (storage) => {
  it("are listed newest first and by later arrival, with all filters and page sizes", async () => {
    await using world = await openWorld(storage, { rateLimitPerMinute: 1_000_000 });
    await publishOrders(world);
    const expected = ["11", "10", "9", "8", "6", "5", "4", "3", "2", "1", "0", "7"].map(
      (number) => `ord_${number}`,
    );
    for (const limit of [1, 3, 11, 12, 100]) expect(await readAll(world, "", limit)).toEqual(expected);
    const all: ListedOrder[] = JSON.parse((await world.ask("GET /v1/orders?limit=100")).text).data;
    const siteOf = (id: string): string | undefined => sites[Number(id.slice(4)) % 2];
    for (const number of [undefined, "1", "4"])
      for (const email of [undefined, "ADA@example.com"])
        for (const status of [undefined, "paid", "unknown"])
          for (const project of [undefined, "site_2"]) {
            const filters = { number, email, status, project_id: project };
            const query = Object.entries(filters)
              .filter(([, value]) => value !== undefined)
              .map(([name, value]) => `&${name}=${value}`)
              .join("");
            const wanted = all
              .filter(
                (row) =>
                  (number ?? row.number) === row.number &&
                  (email?.toLowerCase() ?? row.customer.email) === row.customer.email &&
                  (status ?? row.status) === row.status &&
                  (project ?? siteOf(row.id)) === siteOf(row.id),
              )
              .map(({ id }) => id);
            expect([query, await readAll(world, query, 2)]).toEqual([query, wanted]);
          }
  });

  it("of the same second are sorted by milliseconds", async () => {
    await using world = await openWorld(storage);
    for (const [id, milliseconds] of [
      ["ord_b", "500"],
      ["ord_c", "900"],
      ["ord_a", "100"],
    ] as const)
      await world.publishEvent(
        "order.created",
        order(id, { created_at: `2026-11-21T00:00:00.${milliseconds}Z` }),
      );
    for (const limit of [1, 3]) expect(await readAll(world, "", limit)).toEqual(["ord_c", "ord_b", "ord_a"]);
    // Updating a record with its own timestamps does not move it.
    await world.publishEvent("order.paid", order("ord_c", { created_at: "2026-11-21T00:00:00Z" }));
    expect(await readAll(world, "", 3)).toEqual(["ord_c", "ord_b", "ord_a"]);
    const { text } = await world.ask("GET /v1/orders/ord_c");
    expect(JSON.parse(text)).toMatchObject({ data: { created_at: "2026-11-21T00:00:00Z" } });
  });

  it("that are added or removed between two pages neither repeat nor hide others", async () => {
    await using world = await openWorld(storage);
    await publishOrders(world);
    const first = await world.ask("GET /v1/orders?limit=4");
    await world.publishEvent("order.created", order("ord_new", { created_at: "2026-11-21T00:00:00Z" }));
    await world.host(`DELETE /host/v1/accounts/acc_1/records/orders/${first.rows[3]?.id}`);
    await world.host("DELETE /host/v1/accounts/acc_1/records/orders/ord_4");
    const second = await world.ask(`GET /v1/orders?limit=4&cursor=${first.meta.next_cursor}`);
    expect(second.rows.map(({ id }) => id)).toEqual(["ord_6", "ord_5", "ord_3", "ord_2"]);
  });

  it("refuse a cursor of another list, other filters, another account, or with one changed byte", async () => {
    await using world = await openWorld(storage);
    await publishOrders(world);
    const { meta } = await world.ask("GET /v1/orders?limit=2&status=paid");
    const cursor = String(meta.next_cursor);
    const changed = `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}`;
    const { hookwright } = world;
    await hookwright.accounts.put("acc_2", { email: "two@example.com" });
    const { api_key: token } = await hookwright.apiKeys.create("acc_2", { name: "two" });
    for (const [target, key] of [
      [`/v1/orders?status=paid&cursor=${changed}`, world.key],
      [`/v1/orders?cursor=${cursor}`, world.key],
      [`/v1/contacts?cursor=${cursor}`, world.key],
      [`/v1/orders?status=paid&cursor=${cursor}`, token],
    ] as const) {
      const answered = await world.ask(`GET ${target}`, { token: key });
      expect([target, answered.status, answered.error?.code]).toEqual([target, 400, "invalid_cursor"]);
    }
    expect((await world.ask(`GET /v1/orders?limit=5&status=paid&cursor=${cursor}`)).status).toBe(200);
  });

  it.each([
    "orders?number=<>",
    "orders?email=<>",
    "orders?status=<>",
    "orders?number=<>&email=<>&project_id=site_1&status=<>",
    "contacts?email=<>",
    "contacts?email=<>&project_id=site_1",
  ])("that cannot match %s give an empty list, however long the filter is", async (target) => {
    await using world = await openWorld(storage);
    await publishOrders(world, 1);
    for (const wanted of ["9".repeat(2_000), "%E2%82%AC".repeat(500), "9".repeat(1_790)]) {
      const { status, rows, meta } = await world.ask(`GET /v1/${target.replaceAll("<>", wanted)}`);
      expect([status, rows, meta]).toEqual([200, [], { has_more: false, next_cursor: null }]);
    }
  });

  it("are returned in the shape that webhooks send, and only to their account", async () => {
    await using world = await openWorld(storage);
    await publishOrders(world, 1);
    const { data, status } = await world.ask("GET /v1/orders/ord_0");
    expect([status, data]).toMatchObject([200, { id: "ord_0", items: [{ name: "Loaf", total: 21 }] }]);
    const { hookwright } = world;
    await hookwright.accounts.put("acc_2", { email: "two@example.com" });
    const { api_key: token } = await hookwright.apiKeys.create("acc_2", { name: "two" });
    expect((await world.ask("GET /v1/orders/ord_0", { token })).error?.code).toBe("resource_not_found");
    expect((await world.ask("GET /v1/orders", { token })).rows).toEqual([]);
    expect((await world.ask("GET /v1/orders?project_id=site_1", { token })).error?.code).toBe(
      "validation_failed",
    );
  });
});
