import { expect, it } from "vitest";
import * as service from "../src/index.ts";

it("the package exports exactly these names", () => {
  expect(Object.keys(service).toSorted()).toMatchInlineSnapshot(`
    [
      "RepositoryError",
      "accountImportKey",
      "bindServerSecret",
      "checkStore",
      "compareServerSecret",
      "contactKey",
      "createDeclaredEvents",
      "createFairQueue",
      "createFindOrdersOfHost",
      "createJobRunner",
      "createNetworkThrottle",
      "createNoticeRunner",
      "createRateLimiter",
      "createReadMessages",
      "createRequestLog",
      "createServerKeys",
      "createService",
      "createSigning",
      "createSweeper",
      "findRemovedEvents",
      "hasAccounts",
      "hasRoomForSignIn",
      "isBoundToServerSecret",
      "isKnownOwnEvent",
      "isOperators",
      "isRowOfAccount",
      "mergeCustomer",
      "readAccountRows",
      "readAccountTotals",
      "readServerEvents",
      "renderBody",
      "rotateServerSecret",
      "sumOutcomes",
      "toClientNetwork",
      "toHappened",
      "toSessionActor",
    ]
  `);
});
