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

it("an input of another type is refused with a code", async () => {
  await using hookwright = await openShop();
  const webhook = { event: "order.paid", target_url: "https://example.com/hooks" };
  for (const create of [hookwright.webhooks.create, hookwright.webhooks.createForConsole])
    await expect(create(sent(`"acc_bakery"`), webhook)).rejects.toMatchObject({
      code: "validation_failed",
      message: 'caller: must be `{ accountId, credential: { type: "console" } }`',
    });
  for (const events of ["{}", `"order.paid"`, "null"])
    await expect(hookwright.publishMany(sent(events))).rejects.toMatchObject({
      code: "validation_failed",
      message: "body: must be a list of events",
    });
  for (const id of ["null", "7"])
    await expect(hookwright.accounts.get(sent(id))).rejects.toMatchObject({ code: "resource_not_found" });
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

/** The parameters after the account. */
const parameters: Readonly<Record<string, readonly unknown[]>> = {
  "apiKeys.create": [{ name: "Tool" }],
  "sessions.createLink": [{}],
  "webhooks.create": [{ event: "order.paid", target_url: "https://example.com/" }],
  "webhooks.createForConsole": [{ event: "order.paid", target_url: "https://example.com/" }],
  "contacts.write": [{ project_id: "site_shop", email: "ada@example.com" }],
  "subscribers.subscribe": [{ project_id: "site_shop", email: "ada@example.com", list_ids: ["lst_1"] }],
  "blogPosts.create": [{ project_id: "site_shop", title: "Bread", content: "Rye" }],
  "eventTypes.samples": ["order.paid"],
  "records.remove": ["orders", "ord_1"],
  "accounts.put": [{ email: "owner@example.com" }],
};
const withoutAccount = [
  "accounts.put",
  "accounts.list",
  "audit.list",
  "projects.put",
  "emailLists.put",
  "webhooks.listAll",
  "webhooks.recoverAny",
  "webhookActions.start",
  "webhookActions.preview",
  "webhookActions.list",
  "webhookActions.get",
  "webhookActions.stop",
  "rejectedEvents.count",
  "rejectedEvents.list",
  "rejectedEvents.get",
  "rejectedEvents.retry",
  "rejectedEvents.remove",
  "eventTypes.list",
  "subscribers.put",
  "suppressions.put",
  "suppressions.remove",
  "sessions.create",
  "sessions.exchangeLink",
  "sessions.remove",
];

it("every function of the host refuses an account that does not exist", async () => {
  await using hookwright = await openShop();
  const groups = Object.entries({ ...hookwright }).filter(
    ([name, group]) => isGroup(group) && !["app", "admin", "metrics", "scheduler"].includes(name),
  );
  const functions = groups.flatMap(([group, members]) =>
    Object.entries(members).map(([name, call]: [string, unknown]) => [`${group}.${name}`, call] as const),
  );
  expect(functions.length).toBeGreaterThan(50);
  expect(withoutAccount.filter((name) => !functions.some(([known]) => known === name))).toEqual([]);
  for (const [name, call] of functions.filter(([name]) => !withoutAccount.includes(name))) {
    const credential = { type: "console" } as const;
    const account = name.startsWith("webhooks.create") ? { accountId: "acc_none", credential } : "acc_none";
    const [first, ...rest] = name === "apiKeys.revoke" ? ["key_1", "acc_none"] : [account];
    const answer = Promise.resolve(
      typeof call === "function"
        ? Reflect.apply(call, undefined, [first, ...rest, ...(parameters[name] ?? ["x_1", {}])])
        : undefined,
    );
    const outcome = await answer.then(
      () => "answered",
      ({ code }) => code,
    );
    expect([name, outcome]).toEqual([name, "resource_not_found"]);
  }
});

it("a site or an account that a body names is refused as the field", async () => {
  await using hookwright = await openShop();
  const { projects, emailLists, subscribers } = hookwright;
  const refused = (message: string) => ({ code: "validation_failed", message });
  await expect(projects.put("site_2", { account_id: "acc_none" })).rejects.toMatchObject(
    refused("account_id: no such account"),
  );
  await expect(emailLists.put("lst_1", { project_id: "site_none" })).rejects.toMatchObject(
    refused("project_id: no such site"),
  );
  await expect(subscribers.put("site_none", "ada@example.com", { status: "active" })).rejects.toMatchObject(
    refused("project_id: no such site"),
  );
});

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
