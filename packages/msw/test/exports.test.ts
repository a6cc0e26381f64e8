import { expect, it } from "vitest";
import * as msw from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(msw).toSorted()).toMatchInlineSnapshot(`
    [
      "HookwrightError",
      "MockError",
      "SignatureError",
      "deliveryFaults",
      "mockApi",
      "mockReceiver",
      "operationNames",
      "signedDelivery",
      "toNodeListener",
    ]
  `);
});
