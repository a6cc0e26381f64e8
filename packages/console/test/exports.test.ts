import { expect, it } from "vitest";
import * as console from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(console).toSorted()).toMatchInlineSnapshot(`
    [
      "ConsoleError",
      "developerSite",
    ]
  `);
});
