import { expect, it } from "vitest";
import * as fastify from "../src/fastify.ts";
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
      "checkHookwright",
      "checkStore",
      "compareServerSecret",
      "contactKey",
      "createHookwright",
      "describeFinding",
      "formatChecks",
      "hardenServer",
      "hasAccounts",
      "hasRoomForSignIn",
      "isBoundToServerSecret",
      "isHookwrightError",
      "isRowOfAccount",
      "mergeCustomer",
      "normaliseEmail",
      "pinoLogger",
      "readAccountRows",
      "rotateServerSecret",
      "validateEvent",
    ]
  `);
});

it("the entry for Fastify exports one plugin", () => {
  expect(Object.keys(fastify)).toEqual(["hookwrightPlugin"]);
});

it("the repository contract exports one list", () => {
  expect(Object.keys(contract)).toEqual(["repositoryContractCases"]);
});
