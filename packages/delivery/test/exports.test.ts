import { expect, expectTypeOf, it } from "vitest";
import * as delivery from "../src/index.ts";
import type { DeliveryError, DeliveryErrorCode } from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(delivery).toSorted()).toMatchInlineSnapshot(`
    [
      "DeliveryError",
      "addWebhook",
      "countDeliveries",
      "countPartitions",
      "countPending",
      "countPendingOf",
      "countQueues",
      "countWebhooksOf",
      "createDelivery",
      "createTransport",
      "createWorker",
      "deliveryStoreRules",
      "endDelivery",
      "endsWithin",
      "estimateAttemptBytes",
      "findAccountOfWebhook",
      "findDeliveries",
      "findLoggedDeliveries",
      "findRemovedWebhook",
      "findWebhook",
      "hasPending",
      "listAccountsWithLog",
      "listDeliveries",
      "listEnded",
      "listOldestLogged",
      "listRemovedWebhooks",
      "listWebhooks",
      "matchesFilters",
      "measureLog",
      "needsRows",
      "percentiles",
      "queueTables",
      "readAllWebhooks",
      "readRequestHeaders",
      "readSeries",
      "readSigningSecrets",
      "readWebhookGuard",
      "readWebhookHealth",
      "removeFromLog",
      "removeWebhooks",
      "removedWebhookLifetimeMs",
      "removedWebhookTable",
      "replaceRow",
      "replaceTarget",
      "resetFailures",
      "runAttempt",
      "sampleSigningSecrets",
      "seriesLifetimeMs",
      "signHeaders",
      "signingSecretsIn",
      "successRate",
      "sumSeries",
      "sweepRemovedWebhooks",
      "systemClock",
      "toGoneNotice",
      "toHeaderRecord",
      "toNotification",
      "toOutboxMutations",
      "workerTables",
    ]
  `);
});

it("DeliveryErrorCode has all codes of DeliveryError", () => {
  expectTypeOf<DeliveryError["code"]>().toEqualTypeOf<DeliveryErrorCode>();
});
