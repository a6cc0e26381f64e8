import { expect, it } from "vitest";
import * as client from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(client).toSorted()).toMatchInlineSnapshot(`
    [
      "ClientError",
      "createClient",
    ]
  `);
});
