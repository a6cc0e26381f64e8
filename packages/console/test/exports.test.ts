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

it("the codes of its error have a name, so that a program can tell all of them apart", () => {
  expectTypeOf<ConsoleError["code"]>().toEqualTypeOf<ConsoleErrorCode>();
});
