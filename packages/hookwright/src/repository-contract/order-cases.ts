import { deepEqual, rejects } from "node:assert/strict";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { Order } from "@hookwright/domain";
import { readPages, repositoryCase } from "./contract-case.ts";
import type { RepositoryContractCase, Shop } from "./contract-case.ts";

const { data: sample } = sampleDeliveryBody("order.created");
const people = ["ada@example.com", "Grace@Example.com"];

function orderOf(id: string, changes: Partial<Order> = {}): Order {
  return { ...sample, id, number: id, ...changes };
}

function idsOf(rows: readonly Order[]): string[] {
  return rows.map(({ id }) => id);
}

/** Six orders of two people, two states and two sites, two of them of one second, the last one back-filled. */
async function saveOrders({ saveOrder, accountId, sites }: Shop): Promise<void> {
  for (let number = 0; number < 6; number++) {
    const email = people[number % 2] ?? "";
    const data = orderOf(`ord_${number}`, {
      status: number % 3 === 0 ? "paid" : "pending",
      customer: { name: "X", email, phone: null },
      created_at: number === 5 ? "2020-01-01T00:00:00Z" : `2026-11-20T09:30:0${number >> 1}Z`,
    });
    await saveOrder(accountId, { project_id: sites[number >> 2] ?? sites[0], data });
  }
}

const newestFirst = ["ord_4", "ord_3", "ord_2", "ord_1", "ord_0", "ord_5"];

export const orderCases: readonly RepositoryContractCase[] = [
  repositoryCase("orders", "an order is read as it was saved", async (shop) => {
    const { hookwright, accountId, sites, saveOrder } = shop;
    const data = orderOf("ord_1");
    await saveOrder(accountId, { project_id: sites[0], data });
    deepEqual(await hookwright.orders.get(accountId, "ord_1"), data);
  }),

  repositoryCase(
    "orders",
    "an order that is saved again is read as it is now, in its new place",
    async (shop) => {
      await saveOrders(shop);
      const { hookwright, accountId, sites, saveOrder } = shop;
      const changes = { status: "refunded", created_at: "2019-01-01T00:00:00Z" };
      const data = orderOf("ord_4", {
        ...changes,
        customer: { name: "Y", email: "y@example.com", phone: null },
      });
      await saveOrder(accountId, { project_id: sites[1], data });
      deepEqual(await hookwright.orders.get(accountId, "ord_4"), data);
      const { rows } = await hookwright.orders.list(accountId, {}, { limit: 25 });
      deepEqual(idsOf(rows), [...newestFirst.slice(1), "ord_4"]);
      const filters = { email: "y@example.com", status: "refunded", project_id: sites[1] };
      deepEqual(idsOf((await hookwright.orders.list(accountId, filters, { limit: 25 })).rows), ["ord_4"]);
    },
  ),

  repositoryCase(
    "orders",
    "are listed newest first by when they were placed, each once, in pages of any size",
    async (shop) => {
      await saveOrders(shop);
      const { hookwright, accountId } = shop;
      for (const limit of [1, 2, 6, 25]) {
        const rows = await readPages((page) => hookwright.orders.list(accountId, {}, page), limit);
        deepEqual(idsOf(rows), newestFirst, `in pages of ${limit}`);
      }
    },
  ),

  repositoryCase("orders", "are listed by every filter, and by several of them", async (shop) => {
    await saveOrders(shop);
    const { hookwright, accountId, sites } = shop;
    const find = async (filters: Parameters<typeof hookwright.orders.list>[1]) =>
      idsOf(await readPages((page) => hookwright.orders.list(accountId, filters, page), 2));
    deepEqual(await find({ number: "ord_3" }), ["ord_3"]);
    deepEqual(await find({ email: "GRACE@example.com" }), ["ord_3", "ord_1", "ord_5"]);
    deepEqual(await find({ status: "paid" }), ["ord_3", "ord_0"]);
    deepEqual(await find({ project_id: sites[1] }), ["ord_4", "ord_5"]);
    deepEqual(await find({ status: "pending", email: "ada@example.com", project_id: sites[0] }), ["ord_2"]);
    deepEqual(await find({ status: "PAID" }), [], "a status is compared letter by letter");
    deepEqual(await find({ number: "ord\u{5f}%" }), [], "a pattern is a text like others");
  }),

  repositoryCase("orders", "are their account's alone, also under one id", async (shop) => {
    const { hookwright, accountId, sites, otherAccountId, otherSite, saveOrder } = shop;
    await saveOrder(accountId, { project_id: sites[0], data: orderOf("ord_1", { note: "mine" }) });
    await rejects(hookwright.orders.get(otherAccountId, "ord_1"), { code: "resource_not_found" });
    deepEqual((await hookwright.orders.list(otherAccountId, {}, { limit: 25 })).rows, []);
    await saveOrder(otherAccountId, { project_id: otherSite, data: orderOf("ord_1", { note: "theirs" }) });
    deepEqual((await hookwright.orders.get(accountId, "ord_1")).note, "mine");
  }),

  repositoryCase("orders", "that there are not are not found, whatever their id looks like", async (shop) => {
    for (const id of ["ord_unknown", "7", "a.b:c-d", "x".repeat(128)])
      await rejects(shop.hookwright.orders.get(shop.accountId, id), { code: "resource_not_found" });
  }),
];
