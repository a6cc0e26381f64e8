import { expect, it } from "vitest";
import * as service from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(service).toSorted()).toMatchInlineSnapshot(`
    [
      "RepositoryError",
      "accountImportKey",
      "bindServerSecret",
      "compareServerSecret",
      "contactKey",
      "createOwnerMails",
      "createRateLimiter",
      "createReadMessages",
      "createRequestLog",
      "createService",
      "hasRoomForSignIn",
      "isBoundToServerSecret",
      "isPublicAddress",
      "isRowOfAccount",
      "mergeCustomer",
      "readAccountRows",
      "toClientNetwork",
    ]
  `);
});
