import { expect, expectTypeOf, it } from "vitest";
import * as console from "../src/index.ts";
import type { ConsoleError, ConsoleErrorCode } from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(console).toSorted()).toMatchInlineSnapshot(`
    [
      "ConsoleError",
      "developerSite",
    ]
  `);
});

it("the error codes have an exported type", () => {
  expectTypeOf<ConsoleError["code"]>().toEqualTypeOf<ConsoleErrorCode>();
});
