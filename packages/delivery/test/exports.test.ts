import { expect, expectTypeOf, it } from "vitest";
import * as delivery from "../src/index.ts";
import type { DeliveryError, DeliveryErrorCode } from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(delivery).toSorted()).toMatchInlineSnapshot(`
    [
      "DeliveryError",
      "createDelivery",
      "createScheduler",
      "createSecretBox",
      "createSignerSource",
      "createSweeper",
      "createTextCache",
      "createTransport",
      "endsWithin",
      "isPublicAddress",
      "keys",
      "nextGuard",
      "parseDeliveryRow",
      "parseTargetUrl",
      "parseWebhookHealth",
      "parseWebhookRow",
      "readRequestHeaders",
      "requestForm",
      "runAttempt",
      "settle",
      "systemClock",
      "toHeaderRecord",
      "toOutboxMutations",
      "toWakeKeys",
      "toWebhookRemoval",
    ]
  `);
});

it("the codes of its error have a name, so that a program can tell all of them apart", () => {
  expectTypeOf<DeliveryError["code"]>().toEqualTypeOf<DeliveryErrorCode>();
});
