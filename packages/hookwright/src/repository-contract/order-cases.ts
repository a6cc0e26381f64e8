import { deepEqual, equal, rejects } from "node:assert/strict";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { Order } from "@hookwright/domain";
import { readPages, repositoryCase } from "./contract-case.ts";
import type { RepositoryContractCase, Shop } from "./contract-case.ts";
import { unknownIds } from "./unknown-ids.ts";

const { data: sample } = sampleDeliveryBody("order.created");
const people = ["ada@example.com", "Grace@Example.com"];

function numbersOf(rows: readonly Order[]): string[] {
  return rows.map(({ number }) => number);
}

/** Saves a new order. @returns the order that the API must return */
async function place(
  shop: Shop,
  {
    accountId = shop.accountId,
    site = shop.sites[0],
    id = shop.newOrderId(),
    ...changes
  }: Partial<Order> & { readonly accountId?: string; readonly site?: string },
): Promise<Order> {
  const order = { ...sample, ...changes, id };
  const { data } = await shop.saveOrder(accountId, { project_id: site, data: order });
  return { ...order, id: data.id };
}

/**
 * Six orders of two customers with two statuses on two sites. Two pairs have the same second, and the last order is
 * back-filled.
 */
async function placeOrders(shop: Shop): Promise<readonly Order[]> {
  const placed: Order[] = [];
  for (let index = 0; index < 6; index++) {
    const order = await place(shop, {
      site: shop.sites[index >> 2] ?? shop.sites[0],
      number: `N-${index}`,
      status: index % 3 === 0 ? "paid" : "pending",
      customer: { name: "X", email: people[index % 2] ?? "", phone: null },
      created_at: index === 5 ? "2020-01-01T00:00:00Z" : `2026-11-20T09:30:0${index >> 1}Z`,
    });
    placed.push(order);
  }
  return placed;
}

/** Orders of the same second may be in any order. */
const newestFirst = [["N-4"], ["N-2", "N-3"], ["N-0", "N-1"], ["N-5"]];

function expectNewestFirst(rows: readonly Order[], message: string): void {
  const numbers = numbersOf(rows);
  let start = 0;
  const bySecond = newestFirst.map((orders) => numbers.slice(start, (start += orders.length)).toSorted());
  deepEqual([bySecond, numbers.length], [newestFirst, start], message);
}

export const orderCases: readonly RepositoryContractCase[] = [
  repositoryCase("orders", "a saved order can be read unchanged", async (shop) => {
    const order = await place(shop, {});
    deepEqual(await shop.hookwright.orders.get(shop.accountId, order.id), order);
  }),

  repositoryCase(
    "orders",
    "a changed order is read in its new state and sorted at its new position",
    async (shop) => {
      const placed = await placeOrders(shop);
      const { hookwright, accountId, sites, saveOrder } = shop;
      const data = {
        ...(placed[4] ?? sample),
        status: "refunded",
        created_at: "2019-01-01T00:00:00Z",
        customer: { name: "Y", email: "y@example.com", phone: null },
      };
      await saveOrder(accountId, { project_id: sites[1], data });
      deepEqual(await hookwright.orders.get(accountId, data.id), data);
      const { rows } = await hookwright.orders.list(accountId, {}, { limit: 25 });
      deepEqual([rows.length, numbersOf(rows).at(-1)], [6, "N-4"]);
      const filters = { email: "y@example.com", status: "refunded", project_id: sites[1] };
      deepEqual(numbersOf((await hookwright.orders.list(accountId, filters, { limit: 25 })).rows), ["N-4"]);
    },
  ),

  repositoryCase(
    "orders",
    "orders are listed by `created_at`, newest first, each once, with every page size",
    async (shop) => {
      await placeOrders(shop);
      const { hookwright, accountId } = shop;
      const list = (limit: number) => readPages((page) => hookwright.orders.list(accountId, {}, page), limit);
      const whole = numbersOf(await list(25));
      for (const limit of [1, 2, 6, 25]) {
        const rows = await list(limit);
        expectNewestFirst(rows, `in pages of ${limit}`);
        deepEqual(numbersOf(rows), whole, `in pages of ${limit}, same as in one page`);
      }
    },
  ),

  repositoryCase("orders", "orders match every filter, and all of several filters", async (shop) => {
    await placeOrders(shop);
    const { hookwright, accountId, sites } = shop;
    const find = async (filters: Parameters<typeof hookwright.orders.list>[1]) =>
      numbersOf(await readPages((page) => hookwright.orders.list(accountId, filters, page), 2)).toSorted();
    deepEqual(await find({ number: "N-3" }), ["N-3"]);
    deepEqual(await find({ email: "GRACE@example.com" }), ["N-1", "N-3", "N-5"]);
    deepEqual(await find({ status: "paid" }), ["N-0", "N-3"]);
    deepEqual(await find({ project_id: sites[1] }), ["N-4", "N-5"]);
    deepEqual(await find({ status: "pending", email: "ada@example.com", project_id: sites[0] }), ["N-2"]);
    deepEqual(await find({ status: "PAID" }), [], "a status filter is case-sensitive");
    deepEqual(await find({ number: "N_%" }), [], "wildcard characters in a filter match literally");
  }),

  repositoryCase("orders", "orders are visible only to their own account", async (shop) => {
    const { hookwright, otherAccountId, otherSite, idsArePerAccount, newOrderId } = shop;
    const mine = await place(shop, { note: "mine" });
    await rejects(hookwright.orders.get(otherAccountId, mine.id), { code: "resource_not_found" });
    deepEqual((await hookwright.orders.list(otherAccountId, {}, { limit: 25 })).rows, []);
    const theirs = await place(shop, {
      accountId: otherAccountId,
      site: otherSite,
      id: idsArePerAccount() ? mine.id : newOrderId(),
      note: "theirs",
    });
    equal((await hookwright.orders.get(shop.accountId, mine.id)).note, "mine");
    equal((await hookwright.orders.get(otherAccountId, theirs.id)).note, "theirs");
  }),

  repositoryCase("orders", "ids are case-sensitive", async (shop) => {
    const { id } = await place(shop, {});
    for (const other of [`0${id}`, `${id}.0`, `${id}x`, `+${id}`, `${id}%`])
      await rejects(shop.hookwright.orders.get(shop.accountId, other), { code: "resource_not_found" });
  }),

  repositoryCase("orders", "an unknown id of any form is not found", async (shop) => {
    for (const id of unknownIds)
      await rejects(shop.hookwright.orders.get(shop.accountId, id), { code: "resource_not_found" });
  }),
];
