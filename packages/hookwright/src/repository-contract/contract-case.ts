import { deepEqual } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Awaitable, BlogPostRepository, ContactRepository, OrderRepository } from "@hookwright/service";
import type { SiteOrder } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "../create-hookwright.ts";
import type { Hookwright } from "../create-hookwright.ts";

/** Whom a case is about. The ids are new for each case, so that a database may be used for all of them. */
export interface ContractAccounts {
  readonly accountId: string;
  /** Two sites of that account. */
  readonly sites: readonly [string, string];
  readonly otherAccountId: string;
  /** A site of the other account. */
  readonly otherSite: string;
}

/** What is put to the test; a part that is left out is not. */
export interface RepositoriesUnderTest {
  readonly contacts?: ContactRepository | undefined;
  readonly orders?: OrderRepository | undefined;
  /** What your program does with an order that is new, or has changed. Needed for `orders`. */
  readonly saveOrder?: ((accountId: string, order: SiteOrder) => Awaitable<unknown>) | undefined;
  readonly blogPosts?: BlogPostRepository | undefined;
}

/** Opens the repositories for one case, and makes the accounts and sites where the database wants to know them. */
export type OpenRepositories = (accounts: ContractAccounts) => Awaitable<RepositoriesUnderTest>;

/** One thing that a repository must do. `run` throws where it does not. It knows no test framework. */
export interface RepositoryContractCase {
  readonly part: "contacts" | "orders" | "blogPosts";
  /** The behaviour, as a sentence. */
  readonly name: string;
  run(open: OpenRepositories): Promise<void>;
}

export interface Shop extends ContractAccounts {
  /** The functions of the API, over what is tested. */
  readonly hookwright: Hookwright;
  readonly saveOrder: (accountId: string, order: SiteOrder) => Promise<void>;
}

/** A case that sees what the API would answer. Whatever the API would log as a fault is one of the repository. */
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
      const accounts: ContractAccounts = {
        accountId: `acc_${run}`,
        sites: [`site_1_${run}`, `site_2_${run}`],
        otherAccountId: `acc_other_${run}`,
        otherSite: `site_other_${run}`,
      };
      const { saveOrder, contacts, orders, blogPosts } = await open(accounts);
      const faults: unknown[] = [];
      const tell = (_message: string, fields?: object): void => void faults.push(fields);
      await using hookwright = await createHookwright({
        store: memoryStore(),
        secret: run,
        role: "api",
        logger: { info: () => {}, warn: tell, error: tell },
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
      await check({
        ...accounts,
        hookwright,
        async saveOrder(account, order) {
          if (saveOrder === undefined) throw new Error("`saveOrder` is needed to put `orders` to the test");
          await saveOrder(account, order);
        },
      });
      deepEqual(faults, [], "what the API would log as faults");
    },
  };
}

/** All rows of a list, page by page; each row stands on one of them. */
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
