import { expect, it } from "vitest";
import * as host from "../src/host.ts";
import * as client from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(client).toSorted()).toMatchInlineSnapshot(`
    [
      "ClientError",
      "createClient",
    ]
  `);
});

it("the entry `host` exports exactly these names", () => {
  expect(Object.keys(host).toSorted()).toEqual(["ClientError", "createHostClient"]);
});
