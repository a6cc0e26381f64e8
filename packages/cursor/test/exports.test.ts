import { expect, it } from "vitest";
import * as cursor from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(cursor).toSorted()).toMatchInlineSnapshot(`
    [
      "CursorError",
      "assemblePage",
      "createCursorCodec",
      "parseLimit",
    ]
  `);
});
