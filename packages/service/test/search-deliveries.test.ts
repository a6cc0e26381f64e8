import { sampleDeliveryBody } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keys } from "../src/rows/keys.ts";
import { checkStore } from "../src/store-check/check-store.ts";
import type { OrderRepository } from "../src/repositories/order-repository.ts";
import type { Caller, DeliveryFilters, Service } from "../src/use-cases.ts";
import { openShop, order, orders } from "./support/host-shop.ts";

interface RecordInput {
  readonly id: string;
  readonly event?: EventName;
  readonly number?: string;
  readonly email?: string;
}

/** Two accounts with the same records. Nothing is delivered, so each delivery is pending. */
async function openAccounts(options: Parameters<typeof openShop>[0] = {}) {
  const opened = await openShop(options);
  const { service } = opened;
  const webhooks: string[] = [];
  const callers: Caller[] = [];
  for (const number of [1, 2]) {
    const { api_key: token } = await service.apiKeys.create(`acc_${number}`, { name: "a tool" });
    const caller = await service.authenticate(token);
    callers.push(caller);
    const { webhook } = await service.webhooks.createForConsole(caller, {
      events: ["*"],
      target_url: `https://receiver.example/${number}`,
      name: "Bookkeeping",
    });
    webhooks.push(webhook.id);
  }
  /** Returns the delivery of the first account. */
  const publish = async ({ id, event = "order.created", number, email }: RecordInput): Promise<string> => {
    const { data } = sampleDeliveryBody(event);
    const customer =
      "customer" in data ? { ...data.customer, email: email ?? data.customer.email } : undefined;
    const sent = { ...data, id, ...(customer ? { customer } : { email }), ...(number && { number }) };
    const [first] = await Promise.all(
      ["site_1", "site_2"].map((project_id) => service.publish({ event, project_id, data: sent })),
    );
    return first?.deliveries[0] ?? "";
  };
  return { ...opened, publish, webhooks, callers };
}

/** The record ids of all pages, newest first. */
async function search(service: Service, filters: DeliveryFilters, limit = 100, accountId = "acc_1") {
  const ids: string[] = [];
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  do {
    cursors.add(cursor);
    const page = await service.deliveries.list(accountId, filters, { limit, cursor });
    ids.push(...page.rows.map(({ record_id: id }) => id));
    cursor = page.meta.next_cursor ?? undefined;
    expect(cursors).not.toContain(cursor ?? null);
  } while (cursor !== undefined);
  const { all } = await service.deliveries.count(accountId, filters);
  expect(all).toBe(ids.length);
  return ids;
}

afterEach(() => vi.useRealTimers());

describe("a search of deliveries finds", () => {
  it.each([
    ["a record by its id", "ord_291", ["ord_291"]],
    ["a record by the beginning of its id", "ord_29", ["ord_292", "ord_291"]],
    ["a record in another case", "ORD_291", ["ord_291"]],
    ["a record with capital letters", "inv-7", ["INV-7a"]],
    ["with blanks around it", "  ord_291 ", ["ord_291"]],
    ["an order by its number", "2001", ["INV-7a"]],
    ["an order by its number in another case", "a-17", ["ord_292"]],
    ["an order by its number with a sign", "#2001", ["INV-7a"]],
    ["not a part of a number", "200", []],
    [
      "records of all kinds by the address of a person",
      "Ada@Example.com",
      ["sub_1", "rev_1", "bok_1", "ord_291"],
    ],
    ["not a part of an address", "ada@example", []],
    ["a body", "order.created_ord_291", ["ord_291"]],
    ["bodies by their beginning", "Order.Created_ORD_29", ["ord_292", "ord_291"]],
    ["not a body of another event", "order.paid_ord_291", []],
    [
      "all of a webhook by its name",
      "bookkeep",
      ["grün_1", "sub_1", "rev_1", "bok_1", "INV-7a", "ord_292", "ord_291"],
    ],
    [
      "all of a webhook by its URL",
      "RECEIVER.example/1",
      ["grün_1", "sub_1", "rev_1", "bok_1", "INV-7a", "ord_292", "ord_291"],
    ],
    ["not those of a webhook of another account", "receiver.example/2", []],
    ["the value of webhook-id", "order.created_gr%C3%BCn_1", ["grün_1"]],
    ["nothing by blanks", "  ", []],
    ["nothing by a text of more than 512 characters", "o".repeat(513), []],
    ["nothing by half of a surrogate pair", "ord_\ud800", []],
  ])("%s: %j", async (_, q, expected) => {
    const { service, publish } = await openAccounts();
    await publish({ id: "ord_291", email: "ada@example.com" });
    await publish({ id: "ord_292", number: "A-17", email: "grace@example.com" });
    await publish({ id: "INV-7a", number: "#2001", email: "grace@example.com" });
    await publish({ id: "bok_1", event: "booking.created", email: "ada@example.com" });
    await publish({ id: "rev_1", event: "review.submitted", email: "ada@example.com" });
    await publish({ id: "sub_1", event: "subscriber.created", email: "ada@example.com" });
    await publish({ id: "grün_1", email: "grace@example.com" });
    expect(await search(service, { q })).toEqual(expected);
    expect(await search(service, { q }, 1)).toEqual(expected);
  });

  it("a delivery by its id, a part of it, and in another case, but not those of another account", async () => {
    const { service, publish } = await openAccounts();
    await publish({ id: "ord_1" });
    const id = await publish({ id: "ord_2" });
    await publish({ id: "ord_3" });
    for (const q of [id, id.slice(0, -1), id.toUpperCase()]) {
      expect(await search(service, { q })).toEqual(["ord_2"]);
      expect(await search(service, { q }, 100, "acc_2")).toEqual([]);
    }
    expect(await search(service, { q: "dlv_" }, 2)).toEqual(["ord_3", "ord_2", "ord_1"]);
  });

  it("what a text names in several ways, once each", async () => {
    const { service, publish, webhooks } = await openAccounts();
    await publish({ id: "bookkeeping-1" });
    await publish({ id: "ord_2", number: "bookkeeping-1" });
    await publish({ id: "ord_3" });
    const everything = ["ord_3", "ord_2", "bookkeeping-1"];
    expect(await search(service, { q: "bookkeeping" }, 1)).toEqual(everything);
    expect(await search(service, { q: "bookkeeping-1" }, 1)).toEqual(["ord_2", "bookkeeping-1"]);
    expect(await search(service, { q: webhooks[0] }, 2)).toEqual(everything);
  });

  it("only what the other filters match", async () => {
    const { service, publish } = await openAccounts();
    await publish({ id: "ord_1" });
    await publish({ id: "ord_1", event: "order.paid" });
    await publish({ id: "ord_2" });
    expect(await search(service, { q: "ord_1", event: "order.paid" })).toHaveLength(1);
    expect(await search(service, { q: "bookkeeping", event: "order.paid" })).toEqual(["ord_1"]);
    expect(await search(service, { q: "ord_1", status: "failed" })).toEqual([]);
    expect(await search(service, { q: "ord_1", until: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(await search(service, { q: "ord_1", webhook_id: "wh_other" })).toEqual([]);
  });

  it("a removed record and its changed number", async () => {
    const { service, publish } = await openAccounts();
    await publish({ id: "ord_1", number: "17" });
    await publish({ id: "ord_1", number: "18", event: "order.paid" });
    expect(await search(service, { q: "17" })).toEqual([]);
    expect(await search(service, { q: "18" })).toEqual(["ord_1", "ord_1"]);
    await service.records.remove("acc_1", "orders", "ord_1");
    expect(await search(service, { q: "18" })).toEqual([]);
    expect(await search(service, { q: "ORD_" })).toEqual(["ord_1", "ord_1"]);
  });

  it("a booking by the address of its last publish only", async () => {
    const { service, publish } = await openAccounts();
    await publish({ id: "bok_1", event: "booking.created", email: "ada@example.com" });
    await publish({ id: "bok_1", event: "booking.created", email: "grace@example.com" });
    expect(await search(service, { q: "ada@example.com" })).toEqual([]);
    expect(await search(service, { q: "grace@example.com" })).toEqual(["bok_1"]);
  });
});

describe("a damaged record", () => {
  it("is left out and reported once. The others are found, counted and exported", async () => {
    const { service, store, publish, errors } = await openAccounts();
    for (const id of ["ord_1", "ord_2", "ord_3"])
      await publish({ id, number: "7", email: "ada@example.com" });
    for (const [id, text] of [
      ["ord_1", "not a row"],
      ["ord_2", '[1,"site_1",0,{"id":"ord_2"}]'],
    ] as const) {
      const key = keys.record("acc_1", "orders", id);
      await store.commit(key[0], { mutations: [{ type: "set", key, value: text }] });
    }
    for (const q of ["ord_", "7", "ada@example.com"]) {
      const before = errors.length;
      const page = await service.deliveries.list("acc_1", { q }, { limit: 10 });
      expect(page.rows).toMatchObject([{ record_id: "ord_3" }]);
      expect(errors.slice(before)).toMatchObject([
        { message: expect.stringMatching(/^a search omits a record that cannot be read: orders ord_[12]$/u) },
      ]);
      const readPage = await service.deliveries.export("acc_1", { q });
      expect(await readPage({ limit: 10 })).toMatchObject(page);
      expect((await service.search.account("acc_1", q)).records).toMatchObject([{ id: "ord_3" }]);
    }
    expect((await service.deliveries.count("acc_1", { q: "7" })).all).toBe(1);
    expect((await service.search.all("7-other")).deliveries).toEqual([]);
    const { deliveries } = await service.search.all("ada@example.com");
    expect(deliveries.filter(({ account_id: id }) => id === "acc_1")).toMatchObject([{ record_id: "ord_3" }]);
  });
});

describe("a text of few characters", () => {
  it("finds no deliveries by a part of their ids, or of record ids", async () => {
    const { service, publish } = await openAccounts();
    await publish({ id: "o" });
    await publish({ id: "ord_1" });
    await publish({ id: "dlv_1", number: "dl" });
    expect(await search(service, { q: "d" })).toEqual([]);
    expect(await search(service, { q: "dl" })).toEqual(["dlv_1"]);
    expect(await search(service, { q: "O" })).toEqual(["o"]);
    expect(await search(service, { q: "or" })).toEqual([]);
    expect(await search(service, { q: "ord" })).toEqual(["ord_1"]);
    expect(await search(service, { q: "order.created_o" })).toEqual(["ord_1", "o"]);
  });
});

describe("if more records match than are read", () => {
  it.each(["ord_", "walk-in@example.com", "7"])(
    "all pages of %j together have every match",
    async (q) => {
      const { service, publish } = await openAccounts();
      const expected: string[] = [];
      for (let number = 0; number < 520; number++) {
        const isMatch = number % 2 === 0 || q !== "ord_";
        await publish({
          id: `${isMatch ? "Ord" : "other"}_${number}`,
          number: number % 10 === 9 ? "8" : "7",
          email: "walk-in@example.com",
        });
        if (isMatch && (q !== "7" || number % 10 !== 9)) expected.unshift(`Ord_${number}`);
      }
      for (let number = 520; number < 1_100; number++) {
        await publish({ id: `Ord_${number}`, number: "7", email: "Walk-in@example.com" });
        expected.unshift(`Ord_${number}`);
      }
      expect(await search(service, { q }, 100)).toEqual(expected);
    },
    30_000,
  );
});

describe("a count", () => {
  it("reads the index of each record once, and no rows if the text names all deliveries", async () => {
    const calls = { lists: 0, rows: 0 };
    const { service, publish } = await openAccounts({
      wrap: (store) => ({
        ...store,
        list(options) {
          calls.lists += 1;
          return store.list(options);
        },
        getMany(wanted) {
          calls.rows += wanted.length;
          return store.getMany(wanted);
        },
      }),
    });
    for (let number = 0; number < 1_200; number++)
      await publish({ id: `ord_${number}`, number: number % 3 === 0 ? "7" : "8" });
    Object.assign(calls, { lists: 0, rows: 0 });
    expect((await service.deliveries.count("acc_1", { q: "7" })).all).toBe(400);
    expect(calls.lists).toBeLessThan(450);
    Object.assign(calls, { lists: 0, rows: 0 });
    expect((await service.deliveries.count("acc_1", { q: "ORD" })).all).toBe(1_200);
    expect(calls).toMatchObject({ rows: 0 });
    expect(calls.lists).toBeLessThan(100);
  });

  it.each([
    ["a record that sorts between others", "bok_1", false],
    ["a removed record", "other", true],
  ])("of a broad text omits %s", async (_, id, isRemoved) => {
    const { service, publish } = await openAccounts();
    await publish({ id });
    for (let number = 0; number < 510; number++) await publish({ id: `ord_${number}` });
    await publish({ id: "Ord_last" });
    if (isRemoved) await service.records.remove("acc_1", "orders", id);
    expect(await search(service, { q: "ord_" })).toHaveLength(511);
  });
});

describe("orders that the host keeps", () => {
  const find = (list: OrderRepository["list"]) => openAccounts({ orders: { ...orders, list } });

  it("are found by the number and the address that the host has now", async () => {
    const { service, publish } = await find((accountId, { number, email }) =>
      accountId === "acc_1" && (number === "N-5" || number === "n-5" || email === "new@example.com")
        ? [
            {
              position: [1],
              row: {
                project_id: "site_1",
                data: {
                  ...order,
                  id: "ord_1",
                  number: number ?? "N-5",
                  customer: { ...order.customer, email: "new@example.com" },
                },
              },
            },
          ]
        : [],
    );
    await publish({ id: "ord_1" });
    await publish({ id: "ord_2" });
    expect(await search(service, { q: "N-5" })).toEqual(["ord_1"]);
    expect(await search(service, { q: "New@example.com" })).toEqual(["ord_1"]);
    expect(await search(service, { q: "N-5" }, 100, "acc_2")).toEqual([]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no connection"))],
    [
      "answers with another order",
      () => [{ position: [1], row: { project_id: "site_1", data: { ...order, id: "ord_2" } } }],
    ],
    ["does not answer within a second", () => new Promise<never>(() => {})],
  ])("are left out if the repository %s, and the error is logged", async (_, list) => {
    const { service, publish, errors } = await find(list);
    await publish({ id: "ord_1", number: "17" });
    await publish({ id: "ord_2", number: "18" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isDone = false;
    const found = service.deliveries.list("acc_1", { q: "17" }, { limit: 10 });
    void found.finally(() => (isDone = true));
    const wait = () => vi.advanceTimersByTimeAsync(1_000).then(() => isDone);
    await expect.poll(wait, { interval: 1 }).toBe(true);
    expect((await found).rows).toMatchObject([{ record_id: "ord_1" }]);
    expect(errors.length).toBeGreaterThan(0);
  });

  it("fail an export if the repository fails", async () => {
    const { service } = await find(() => Promise.reject(new Error("no connection")));
    const exported = service.deliveries.export("acc_1", { q: "17" });
    await expect(exported).rejects.toThrow("no connection");
  });

  it("are all found if many have the number, also those that are not read", async () => {
    const total = 620;
    const listed = Array.from({ length: total }, (_, index) => ({
      position: [total - index],
      row: { project_id: "site_1", data: { ...order, id: `ord_${total - index}`, number: "17" } },
    }));
    const { service, publish } = await find((accountId, { number }, { limit, after }) =>
      accountId === "acc_1" && number === "17"
        ? listed.filter(({ position: [at = 0] }) => at < Number(after?.[0] ?? total + 1)).slice(0, limit)
        : [],
    );
    for (const id of [1, 60, 600]) await publish({ id: `ord_${id}`, number: "17" });
    // The host has changed the number of this one.
    await publish({ id: "ord_590", number: "16" });
    expect(await search(service, { q: "17" })).toEqual(["ord_590", "ord_600", "ord_60", "ord_1"]);
  });
});

it("an export asks the host for its orders once for all pages", async () => {
  let calls = 0;
  const list: OrderRepository["list"] = () => {
    calls += 1;
    return [];
  };
  const { service, publish } = await openAccounts({ orders: { ...orders, list } });
  for (const id of ["ord_1", "ord_2", "ord_3"]) await publish({ id, number: "17" });
  calls = 0;
  const readPage = await service.deliveries.export("acc_1", { q: "17" });
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { rows, meta } = await readPage({ limit: 1, cursor });
    found.push(...rows.map(({ record_id: id }) => id));
    cursor = meta.next_cursor;
  }
  expect(found).toEqual(["ord_3", "ord_2", "ord_1"]);
  // Both spellings of the number.
  expect(calls).toBe(2);
});

it("a key finds only the deliveries of its own webhooks", async () => {
  const { service, publish, callers } = await openAccounts();
  await publish({ id: "ord_1" });
  const { api_key: token } = await service.apiKeys.create("acc_1", { name: "another tool" });
  const list = (caller: Caller) => service.developer.listDeliveries(caller, { q: "ord_1" }, { limit: 10 });
  for (const caller of callers.slice(0, 1)) expect((await list(caller)).rows).toHaveLength(1);
  expect(await list(await service.authenticate(token))).toMatchObject({
    rows: [],
    meta: { has_more: false },
  });
});

it.each([
  ["60 deliveries of as many records", { records: 60, others: 0 }],
  ["600 deliveries of 20 records", { records: 20, others: 29 }],
])("a key does not learn that others have %s that it searches", async (_, { records, others }) => {
  const { service, publish, callers } = await openAccounts();
  const { api_key: token } = await service.apiKeys.create("acc_1", { name: "another tool" });
  const caller = await service.authenticate(token);
  const create = async (who: Caller, event: EventName, path: string) => {
    const target_url = `https://receiver.example/${path}`;
    return (await service.webhooks.create(who, { event, target_url })).webhook.id;
  };
  const own = await create(caller, "booking.created", "own");
  const [other = caller] = callers;
  for (let number = 0; number < others; number++) await create(other, "order.created", `other${number}`);
  for (let number = 0; number < 2; number++)
    await publish({ id: `ord_b${number}`, event: "booking.created" });
  for (let number = 0; number < records; number++) await publish({ id: `ord_${number}` });
  const list = (who: Caller, limit = 2) => service.developer.listDeliveries(who, { q: "ord_" }, { limit });
  expect((await list(other)).meta).toMatchObject({ has_more: true });
  const both = [{ record_id: "ord_b1" }, { record_id: "ord_b0" }];
  expect(await list(caller)).toMatchObject({ rows: both, meta: { has_more: false } });
  expect(await list(caller, 1)).toMatchObject({ rows: both.slice(0, 1), meta: { has_more: true } });
  await service.webhooks.remove("acc_1", own);
  expect(await list(caller)).toMatchObject({ rows: [], meta: { has_more: false } });
});

it("the check of a store finds a record that is missing in the index by address", async () => {
  const { service, store, publish } = await openAccounts();
  await publish({ id: "bok_1", event: "booking.created", email: "ada@example.com" });
  const check = async (): Promise<readonly string[]> => {
    const problems: string[] = [];
    await checkStore({ store, onDamage: ({ problem }) => problems.push(problem) });
    return problems;
  };
  expect(await check()).toEqual([]);
  const key = keys.recordByEmail("acc_1", "ada@example.com", "bookings", "bok_1");
  await store.commit(key[0], { mutations: [{ type: "delete", key }] });
  expect(await check()).toEqual(["is missing in the index record-by-email"]);
  // An older process that changes a record leaves such an entry.
  const old = keys.recordByEmail("acc_1", "old@example.com", "bookings", "bok_1");
  await store.commit(key[0], {
    mutations: [key, old].map((each) => ({ type: "set", key: each, value: "" })),
  });
  expect(await check()).toEqual(["leads to a record that is missing or has another address"]);
  expect(await search(service, { q: "old@example.com" })).toEqual([]);
});
