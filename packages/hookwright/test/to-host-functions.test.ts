import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import type { Hookwright } from "../src/create-hookwright.ts";
import type { HostPage } from "../src/host-functions.ts";
import { publishReview, secret } from "./support/bakery.ts";

type List = (hookwright: Hookwright, page?: HostPage) => Promise<{ readonly rows: readonly unknown[] }>;

const lists: Readonly<Record<string, List>> = {
  projects: ({ projects }, page) => projects.list("acc_bakery", page),
  emailLists: ({ emailLists }, page) => emailLists.list("acc_bakery", {}, page),
  apiKeys: ({ apiKeys }, page) => apiKeys.list("acc_bakery", page),
  webhooks: ({ webhooks }, page) => webhooks.list("acc_bakery", page),
  "webhooks for the console": ({ webhooks }, page) => webhooks.listForConsole("acc_bakery", page),
  "removed webhooks": ({ webhooks }, page) => webhooks.listRemoved("acc_bakery", page),
  orders: ({ orders }, page) => orders.list("acc_bakery", {}, page),
  deliveries: ({ deliveries }, page) => deliveries.list("acc_bakery", {}, page),
  contacts: ({ contacts }, page) => contacts.list("acc_bakery", {}, page),
};

/** Typed as in a program that passes on the input of its own clients. */
const sent = (json: string) => JSON.parse(json);

async function openShop(): Promise<Hookwright> {
  const hookwright = await createHookwright({ store: memoryStore(), secret, role: "api" });
  await hookwright.accounts.put("acc_bakery", { email: "owner@example.com" });
  await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });
  return hookwright;
}

it.each(Object.entries(lists))(
  "a page of %s has 1 to 100 rows, and other limits are refused",
  async (_, list) => {
    await using hookwright = await openShop();
    const problem = { code: "validation_failed", message: "limit: must be a whole number from 1 to 100" };
    for (const limit of [0, -1, 1.5, 101, Number.NaN, sent(`"10"`)])
      await expect(list(hookwright, { limit })).rejects.toMatchObject(problem);
    await expect(list(hookwright, sent(`{"limit":1,"cursor":7}`))).rejects.toMatchObject({
      message: "cursor: must be text",
    });
    await expect(list(hookwright, { limit: 1, cursor: "x" })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
    for (const page of [{ limit: 1 }, { limit: 100, cursor: "" }])
      expect((await list(hookwright, page)).rows.length).toBeLessThanOrEqual(1);
  },
);

it("a list has 25 rows by default, as in the API", async () => {
  await using hookwright = await openShop();
  for (let order = 0; order < 26; order++) {
    await publishReview(hookwright, `rev_${order}`);
    await hookwright.contacts.write("acc_bakery", {
      project_id: "site_shop",
      email: `customer-${order}@example.com`,
    });
  }
  for (const page of [undefined, {}, { limit: undefined }, sent("null"), sent(`{"limit":null}`)]) {
    const { rows, meta } = await hookwright.contacts.list("acc_bakery", {}, page);
    expect([rows.length, meta.has_more]).toEqual([25, true]);
  }
  for (const list of Object.values(lists))
    expect((await list(hookwright)).rows.length).toBeLessThanOrEqual(25);
  expect(await hookwright.eventTypes.samples("acc_bakery", "review.submitted")).toHaveLength(10);
});

it("samples have 1 to 10 rows", async () => {
  await using hookwright = await openShop();
  const { samples } = hookwright.eventTypes;
  for (const limit of [0, 11, Number.NaN])
    await expect(samples("acc_bakery", "order.paid", { limit })).rejects.toMatchObject({
      message: "limit: must be a whole number from 1 to 10",
    });
  expect(await samples("acc_bakery", "order.paid", { limit: 10 })).toEqual([]);
});

it("a filter must be text, and an empty filter counts as left out", async () => {
  await using hookwright = await openShop();
  const email = "ada@example.com";
  const { contact } = await hookwright.contacts.write("acc_bakery", { project_id: "site_shop", email });
  const find = async (filters: object) =>
    (await hookwright.contacts.list("acc_bakery", filters, { limit: 1 })).rows;
  expect(await find({ email: " Ada@example.com " })).toEqual([contact]);
  expect(await find(sent(`{"email":"","project_id":null}`))).toEqual([contact]);
  expect(await find(sent("null"))).toEqual([contact]);
  for (const name of ["email", "project_id"]) {
    await expect(find(sent(`{"${name}":7}`))).rejects.toMatchObject({
      code: "validation_failed",
      message: `${name}: must be text`,
    });
  }
  await expect(
    hookwright.deliveries.list("acc_bakery", sent(`{"q":{}}`), { limit: 1 }),
  ).rejects.toMatchObject({ message: "q: must be text" });
});
