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
      "checkStore",
      "compareServerSecret",
      "contactKey",
      "createHookwright",
      "hardenServer",
      "hasAccounts",
      "hasRoomForSignIn",
      "isBoundToServerSecret",
      "isHookwrightError",
      "isRowOfAccount",
      "listStartWarnings",
      "mergeCustomer",
      "normaliseEmail",
      "pinoLogger",
      "readAccountRows",
      "readServerEvents",
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
