import { blogPostCases } from "./repository-contract/blog-post-cases.ts";
import { contactCases } from "./repository-contract/contact-cases.ts";
import type { RepositoryContractCase } from "./repository-contract/contract-case.ts";
import { orderCases } from "./repository-contract/order-cases.ts";

export type {
  ContractAccounts,
  OpenRepositories,
  RepositoriesUnderTest,
  RepositoryContractCase,
} from "./repository-contract/contract-case.ts";

/**
 * The required behaviour of contacts, orders and blog posts in your own database, one behaviour per case. The cases
 * need no test framework, check the responses of the API, and accept ids of any form.
 *
 * @example
 * for (const { part, name, run } of repositoryContractCases)
 * it(`${part}: ${name}`, () => run(() => ({ contacts, orders, saveOrder, blogPosts })));
 */
export const repositoryContractCases: readonly RepositoryContractCase[] = [
  ...contactCases,
  ...orderCases,
  ...blogPostCases,
];
