import { expect, it } from "vitest";
import * as hookwright from "../src/index.ts";
import * as contract from "../src/repository-contract.ts";

it("exports exactly these names", () => {
  expect(Object.keys(hookwright).toSorted()).toMatchInlineSnapshot(`
    [
      "ConfigurationError",
      "HookwrightError",
      "RepositoryError",
      "accountImportKey",
      "bindServerSecret",
      "compareServerSecret",
      "contactKey",
      "createHookwright",
      "isBoundToServerSecret",
      "isHookwrightError",
      "isRowOfAccount",
      "mergeCustomer",
      "normaliseEmail",
      "pinoLogger",
      "readAccountRows",
      "validateEvent",
    ]
  `);
});

it("the contract of repositories is one list", () => {
  expect(Object.keys(contract)).toEqual(["repositoryContractCases"]);
});
