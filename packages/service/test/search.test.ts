import { sampleDeliveryBody } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

/** Accounts with a site, a webhook and the order `ord_<number>` each. */
async function openAccounts(count: number, options: Parameters<typeof openService>[0] = {}) {
  const opened = openService(options);
  const { service } = opened;
  for (let number = 1; number <= count; number++) {
    const id = `acc_${String(number).padStart(3, "0")}`;
    await service.accounts.put(id, { email: `owner${number}@example.com`, name: `Bakery ${number}` });
    await service.projects.put(`site_${number}`, { account_id: id });
    const caller = { accountId: id, credential: { type: "console" } } as const;
    const target_url = `https://receiver${number}.example/hooks`;
    await service.webhooks.createForConsole(caller, { event: "order.created", target_url, name: "Books" });
    const { data } = sampleDeliveryBody("order.created");
    const customer = { ...data.customer, email: `customer${number % 2}@example.com` };
    await service.publish({
      event: "order.created",
      project_id: `site_${number}`,
      data: { ...data, id: `ord_${number}`, number: `N-${number}`, customer },
    });
  }
  return opened;
}

describe("a search in an account", () => {
  it.each([
    ["ORD_1", { matched: "id" }, "record_id"],
    ["n-1", { matched: "number", number: "N-1" }, "number"],
    ["Customer1@example.com", { matched: "email", email: "customer1@example.com" }, "email"],
  ])("finds the record and its deliveries by %s, and says by what", async (q, record, matched) => {
    const { service } = await openAccounts(1);
    const found = await service.search.account("acc_001", q);
    expect(found.records).toMatchObject([{ id: "ord_1", kind: "orders", project_id: "site_1", ...record }]);
    expect(found.deliveries).toMatchObject([{ record_id: "ord_1", matched }]);
  });

  it("finds a delivery by its id, but none by its webhook", async () => {
    const { service } = await openAccounts(1);
    const { deliveries } = await service.search.account("acc_001", "ord_1");
    const { id = "" } = deliveries[0] ?? {};
    expect(await service.search.account("acc_001", id)).toMatchObject({
      records: [],
      deliveries: [{ id, matched: "id" }],
    });
    expect(await service.search.account("acc_001", "receiver1")).toEqual({ records: [], deliveries: [] });
  });

  it("finds nothing of another account", async () => {
    const { service } = await openAccounts(2);
    expect(await service.search.account("acc_001", "ord_2")).toEqual({ records: [], deliveries: [] });
  });

  it.each(["", "  ", "x".repeat(513)])("refuses a text of another length: %j", async (q) => {
    const { service } = await openAccounts(1);
    await expect(service.search.account("acc_001", q)).rejects.toMatchObject({ code: "validation_failed" });
  });
});

describe("a search over all accounts", () => {
  it("finds accounts, webhooks and deliveries, and says by what", async () => {
    const { service } = await openAccounts(3);
    expect(await service.search.all("BAKERY 2")).toMatchObject({
      accounts: [{ id: "acc_002", matched: "name" }],
      webhooks: [],
      deliveries: [],
      meta: { has_more: false, next_cursor: null },
    });
    expect(await service.search.all("owner3@")).toMatchObject({
      accounts: [{ id: "acc_003", matched: "email" }],
    });
    expect(await service.search.all("receiver2.example")).toMatchObject({
      accounts: [],
      webhooks: [
        { account_id: "acc_002", target_url: "https://receiver2.example/hooks", matched: "url", waiting: 1 },
      ],
      deliveries: [],
    });
    expect(await service.search.all("books")).toMatchObject({ webhooks: [{}, {}, {}] });
    expect((await service.search.all("customer1@example.com")).deliveries).toMatchObject([
      { account_id: "acc_001", record_id: "ord_1", matched: "email" },
      { account_id: "acc_003", record_id: "ord_3", matched: "email" },
    ]);
    const { deliveries } = await service.search.all("ORD_2");
    expect(deliveries).toMatchObject([{ account_id: "acc_002", matched: "record_id" }]);
    expect(await service.search.all(deliveries[0]?.id)).toMatchObject({
      deliveries: [{ account_id: "acc_002", matched: "id" }],
    });
  });

  it("continues with a cursor after some twenty results", async () => {
    const { service } = await openAccounts(40);
    const found: string[] = [];
    let cursor: string | undefined;
    let requests = 0;
    do {
      const page = await service.search.all("ord_", cursor);
      expect(page.deliveries.length).toBeLessThan(40);
      found.push(...page.deliveries.map(({ record_id: id }) => id));
      cursor = page.meta.next_cursor ?? undefined;
      requests += 1;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(Array.from({ length: 40 }, (_, index) => `ord_${index + 1}`).toSorted());
    expect(requests).toBe(2);
    await expect(service.search.all("ord_", "another")).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  it("ends after two seconds", async () => {
    let time = Date.now();
    let isSlow = false;
    const { service } = await openAccounts(40, {
      now: () => (isSlow ? (time += 2_000) : time),
    });
    isSlow = true;
    const { meta } = await service.search.all("nothing");
    expect(meta).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
  });

  it.each([undefined, "  ", "x".repeat(513)])("refuses a text of another length: %j", async (q) => {
    const { service } = await openAccounts(1);
    await expect(service.search.all(q)).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("finds whole ids and order numbers by fewer than three characters, and no parts", async () => {
    const { service } = await openAccounts(2);
    await service.accounts.put("17", { email: "owner@example.com", name: "A shop" });
    const { data } = sampleDeliveryBody("order.created");
    await service.publish({
      event: "order.created",
      project_id: "site_1",
      data: { ...data, id: "ord_17", number: "17" },
    });
    expect(await service.search.all("17")).toMatchObject({
      accounts: [{ id: "17", matched: "id" }],
      webhooks: [],
      deliveries: [{ record_id: "ord_17", matched: "number" }],
    });
    expect(await service.search.all("ba")).toMatchObject({ accounts: [], webhooks: [], deliveries: [] });
  });

  it("finds all others if an account has a delivery that cannot be read, and reports it", async () => {
    const { service, store, errors } = await openAccounts(2);
    const [queued] = await store.list({
      prefix: [partitionOf("acc_001"), "fresh", "acc_001"],
      limit: 1,
    });
    const key = queued?.key ?? ["p00"];
    await store.commit(key[0], { mutations: [{ type: "set", key, value: "not a row" }] });
    expect((await service.search.all("ord_")).deliveries).toMatchObject([{ account_id: "acc_002" }]);
    expect((await service.search.all("bakery 1")).accounts).toMatchObject([{ id: "acc_001" }]);
    expect(errors.length).toBeGreaterThan(0);
  });

  it("does not ask the database of the host", async () => {
    let calls = 0;
    const list = () => {
      calls += 1;
      return [];
    };
    const { service } = await openAccounts(2, { orders: { get: () => undefined, list } });
    await service.search.all("N-1");
    expect(calls).toBe(0);
    await service.search.account("acc_001", "N-1");
    expect(calls).toBeGreaterThan(0);
  });
});
