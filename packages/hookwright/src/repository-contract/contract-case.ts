import { deepEqual } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Awaitable, BlogPostRepository, ContactRepository, OrderRepository } from "@hookwright/service";
import type { SiteOrder } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "../create-hookwright.ts";
import type { Hookwright } from "../create-hookwright.ts";

/** The accounts and sites of a case. */
export interface ContractAccounts {
  readonly accountId: string;
  /** Two sites of that account. */
  readonly sites: readonly [string, string];
  readonly otherAccountId: string;
  /** A site of the other account. */
  readonly otherSite: string;
}

/** The repositories under test. A missing repository is not tested. */
export interface RepositoriesUnderTest {
  readonly contacts?: ContactRepository | undefined;
  readonly orders?: OrderRepository | undefined;
  /**
   * Saves a new or changed order as your program does. Required with `orders`. If your database assigns the id of a new
   * order, return it: `data.id` is then only a placeholder, and later calls use the returned id.
   */
  readonly saveOrder?:
    | ((accountId: string, order: SiteOrder) => Awaitable<string | number | undefined | void>)
    | undefined;
  /** An id for a new order, if your program chooses it. @default a text such as `ord_0_` and a UUID */
  readonly newOrderId?: (() => string | number) | undefined;
  readonly blogPosts?: BlogPostRepository | undefined;
  /**
   * The accounts and sites of this case, if your database assigns their ids. They must be new. @default the ones that
   * were passed in
   */
  readonly accounts?: ContractAccounts | undefined;
}

/**
 * Opens the repositories for one case. Each case gets new accounts and sites, so all cases can share one database. If
 * your database has foreign keys, create the accounts and sites first.
 */
export type OpenRepositories = (accounts: ContractAccounts) => Awaitable<RepositoriesUnderTest>;

/**
 * One required behaviour of a repository. `run` throws if the repository does not have it. It needs no test framework.
 */
export interface RepositoryContractCase {
  readonly part: "contacts" | "orders" | "blogPosts";
  /** The behaviour, as a sentence. */
  readonly name: string;
  run(open: OpenRepositories): Promise<void>;
}

export interface Shop extends ContractAccounts {
  /** The functions of the API over the repositories under test. */
  readonly hookwright: Hookwright;
  /** Saves an order. @returns the order with the id under which it was saved */
  readonly saveOrder: (accountId: string, order: SiteOrder) => Promise<SiteOrder>;
  readonly newOrderId: () => string;
  /**
   * True if two accounts may each have an order with the same id. A database that assigns ids assigns each only once.
   */
  readonly idsArePerAccount: () => boolean;
}

/** Creates a case that checks the responses of the API. It fails if the API logs an error of the repository. */
export function repositoryCase(
  part: RepositoryContractCase["part"],
  name: string,
  check: (shop: Shop) => Promise<void>,
): RepositoryContractCase {
  return {
    part,
    name,
    async run(open) {
      const run = randomUUID();
      const made: ContractAccounts = {
        accountId: `acc_${run}`,
        sites: [`site_1_${run}`, `site_2_${run}`],
        otherAccountId: `acc_other_${run}`,
        otherSite: `site_other_${run}`,
      };
      const { accounts = made, contacts, orders, blogPosts, ...saving } = await open(made);
      const logged: unknown[] = [];
      const keep = (message: string, fields?: object): void => void logged.push({ message, ...fields });
      await using hookwright = await createHookwright({
        store: memoryStore(),
        secret: run,
        role: "api",
        logger: { info: () => {}, warn: keep, error: keep },
        contacts,
        orders,
        blogPosts,
      });
      const { accountId, sites, otherAccountId, otherSite } = accounts;
      for (const [id, projects] of [
        [accountId, sites],
        [otherAccountId, [otherSite]],
      ] as const) {
        await hookwright.accounts.put(id, { email: "owner@example.com" });
        for (const project of projects) await hookwright.projects.put(project, { account_id: id });
      }
      await check({ ...accounts, hookwright, ...createOrderSaver(saving) });
      deepEqual(logged, [], "the API must not log an error");
    },
  };
}

type Saving = Pick<RepositoriesUnderTest, "saveOrder" | "newOrderId">;

function createOrderSaver({
  saveOrder,
  newOrderId,
}: Saving): Pick<Shop, "saveOrder" | "newOrderId" | "idsArePerAccount"> {
  const run = randomUUID();
  let orders = 0;
  let areAssigned = false;
  return {
    idsArePerAccount: () => newOrderId === undefined && !areAssigned,
    newOrderId: () => String(newOrderId?.() ?? `ord_${orders++}_${run}`),
    async saveOrder(accountId, order) {
      if (saveOrder === undefined)
        throw new Error(
          "`saveOrder` is required to test `orders`. Pass the function with which your program saves an order",
        );
      const id = await saveOrder(accountId, order);
      if (id == null) return order;
      areAssigned = true;
      return { ...order, data: { ...order.data, id: String(id) } };
    },
  };
}

/** Reads all rows of a list, page by page. */
export async function readPages<Row>(
  list: (page: { readonly limit: number; readonly cursor?: string }) => Promise<{
    readonly rows: readonly Row[];
    readonly meta: { readonly next_cursor: string | null };
  }>,
  limit: number,
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    all.push(...page.rows);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return all;
}
