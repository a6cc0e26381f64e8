import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { repositoryContractCases } from "../src/repository-contract.ts";
import type { OpenRepositories, RepositoriesUnderTest } from "../src/repository-contract.ts";
import { createHostDatabase } from "./end-to-end/support/host-database.ts";
import { createSqliteShop } from "./support/sqlite-shop.ts";
import type { IdKind, SqliteShop } from "./support/sqlite-shop.ts";

const openGood = (): RepositoriesUnderTest => {
  const { keepOrder, removeOrder: _, ...parts } = createHostDatabase(Date.now);
  return { ...parts, saveOrder: keepOrder };
};

describe("a correct database", () => {
  it.each(repositoryContractCases)("$part: $name", async ({ run }) => {
    await expect(run(openGood)).resolves.toBeUndefined();
  });
});

// One database for all cases, as a host has it.
describe.each<[name: string, kind: IdKind, open: (shop: SqliteShop) => OpenRepositories]>([
  ["that assigns integer ids, also to accounts and sites,", "integer", openAssigning],
  ["that assigns UUIDs, also to accounts and sites,", "uuid", openAssigning],
  ["with integer ids from the program", "integer", openChoosing],
  ["with UUIDs from the program", "uuid", openChoosing],
])("%s", (_, kind, openOf) => {
  const shop = createSqliteShop(kind);
  const open = openOf(shop);
  it.each(repositoryContractCases)("$part: $name", async ({ run }) => {
    await expect(run(open)).resolves.toBeUndefined();
  });
});

function openAssigning({ addAccounts, insertOrUpdate, ...parts }: SqliteShop): OpenRepositories {
  return () => ({ ...parts, accounts: addAccounts(), saveOrder: insertOrUpdate });
}

function openChoosing({ addAccounts, upsert, newOrderId, ...parts }: SqliteShop): OpenRepositories {
  return () => ({ ...parts, accounts: addAccounts(), saveOrder: upsert, newOrderId });
}

type Part<Name extends keyof RepositoriesUnderTest> = NonNullable<RepositoriesUnderTest[Name]>;

/** Each defect, and the case that must detect it. */
const broken: readonly [
  defect: string,
  part: string,
  breakIt: (good: Parts) => RepositoriesUnderTest,
  noticed: RegExp,
][] = [
  [
    "contacts of all accounts",
    "contacts",
    ({ contacts, ...rest }) => {
      let first: string | undefined;
      const upsert: Part<"contacts">["upsert"] = (accountId, ...given) => {
        first ??= accountId;
        return contacts.upsert(accountId, ...given);
      };
      const list: Part<"contacts">["list"] = (accountId, filters, page) =>
        contacts.list(first ?? accountId, filters, page);
      return { ...rest, contacts: { ...contacts, upsert, list } };
    },
    /only to their own account/,
  ],
  [
    "a list that ignores the position",
    "contacts",
    ({ contacts, ...rest }) => ({
      ...rest,
      contacts: {
        ...contacts,
        list: (account, filters, page) => contacts.list(account, filters, { ...page, after: undefined }),
      },
    }),
    /with every page size/,
  ],
  [
    "a list that ignores its filters",
    "contacts",
    ({ contacts, ...rest }) => ({
      ...rest,
      contacts: { ...contacts, list: (account, _filters, page) => contacts.list(account, {}, page) },
    }),
    /by site and by exact address/,
  ],
  [
    "an upsert that reads before its transaction",
    "contacts",
    ({ contacts, ...rest }) => {
      const upsert: Part<"contacts">["upsert"] = async (accountId, key, merge, call) => {
        const page = { limit: 1, after: undefined, ...call };
        const [found] = await contacts.list(accountId, key, page);
        const merged = merge(found?.row);
        await setImmediate();
        return contacts.upsert(accountId, key, () => merged, call);
      };
      return { ...rest, contacts: { ...contacts, upsert } };
    },
    /concurrent writes of one address/,
  ],
  [
    "an order that keeps its old position",
    "orders",
    ({ saveOrder, ...rest }) => {
      const placed = new Map<string, string>();
      const save: Part<"saveOrder"> = (accountId, { project_id, data }) => {
        const created_at = placed.get(data.id) ?? data.created_at;
        placed.set(data.id, created_at);
        return saveOrder(accountId, { project_id, data: { ...data, created_at } });
      };
      return { ...rest, saveOrder: save };
    },
    /at its new position/,
  ],
  [
    "an order id that is parsed as a number",
    "orders",
    ({ orders, ...rest }) => ({
      ...rest,
      orders: { ...orders, get: (account, id, call) => orders.get(account, id.replace(/^0/u, ""), call) },
    }),
    /ids are case-sensitive/,
  ],
  [
    "a query that throws for an id of another form",
    "orders",
    ({ orders, ...rest }) => ({
      ...rest,
      orders: {
        ...orders,
        get(account, id, call) {
          if (id.includes(".")) throw new Error(`invalid input syntax: "${id}"`);
          return orders.get(account, id, call);
        },
      },
    }),
    /an unknown id/,
  ],
  [
    "an order id that two accounts cannot share",
    "orders",
    ({ saveOrder, ...rest }) => {
      const owners = new Map<string, string>();
      const save: Part<"saveOrder"> = (accountId, order) => {
        const owner = owners.get(order.data.id) ?? accountId;
        owners.set(order.data.id, owner);
        return saveOrder(owner, order);
      };
      return { ...rest, saveOrder: save };
    },
    /only to their own account/,
  ],
  [
    "orders that ignore their filters",
    "orders",
    ({ orders, ...rest }) => ({
      ...rest,
      orders: { ...orders, list: (account, _filters, page) => orders.list(account, {}, page) },
    }),
    /match every filter/,
  ],
  [
    "a plan limit that is ignored",
    "blogPosts",
    ({ blogPosts, ...rest }) => ({
      ...rest,
      blogPosts: {
        create: (account, draft, rules) => blogPosts.create(account, draft, { ...rules, limit: null }),
      },
    }),
    /as many drafts as its plan allows/,
  ],
  [
    "a slug that is not checked",
    "blogPosts",
    ({ blogPosts, ...rest }) => ({
      ...rest,
      blogPosts: {
        async create(account, draft, rules) {
          const post = await blogPosts.create(account, draft, rules);
          const [slug = ""] = rules.slugs;
          return post === "plan_limit_reached" ? post : { ...post, slug };
        },
      },
    }),
    /a unique slug/,
  ],
];

type Parts = {
  readonly [Name in Exclude<keyof RepositoriesUnderTest, "newOrderId" | "accounts">]-?: Part<Name>;
};

describe("the contract detects", () => {
  it.each(broken)("%s", async (_defect, part, breakIt, noticed) => {
    const failed: string[] = [];
    for (const { name, run } of repositoryContractCases.filter((one) => one.part === part)) {
      const { keepOrder, removeOrder: _, ...parts } = createHostDatabase(Date.now);
      await run(() => breakIt({ ...parts, saveOrder: keepOrder })).catch(() => failed.push(name));
    }
    expect(failed).toContainEqual(expect.stringMatching(noticed));
  });

  it("the contract names a missing saveOrder", async () => {
    const orderCase = repositoryContractCases.find(({ part }) => part === "orders");
    const { saveOrder: _, ...parts } = openGood();
    await expect(orderCase?.run(() => parts)).rejects.toThrow(
      "`saveOrder` is required to test `orders`. Pass the function with which your program saves an order",
    );
  });
});
