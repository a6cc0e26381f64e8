import { expect, it } from "vitest";
import { sentField } from "../src/lookups/sent-field.ts";

it("a field of a body is read without the others, of which there may be a hundred thousand", () => {
  const body = {
    project_id: "site_1",
    get other(): never {
      throw new Error("nobody asked for it");
    },
  };
  expect(sentField(body, "project_id")).toBe("site_1");
});

it.each([
  ["a field that is not there", {}, "project_id"],
  ["what every object has", {}, "constructor"],
  ["text", "project_id", "project_id"],
  ["nothing", null, "project_id"],
  ["a list", ["site_1"], "project_id"],
])("nothing is sent in %s", (_, body, name) => {
  expect(sentField(body, name)).toBeUndefined();
});
