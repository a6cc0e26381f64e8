import { expect, it } from "vitest";
import { sentField } from "../src/lookups/find-project.ts";

it("only the requested field of a body is read", () => {
  const body = {
    project_id: "site_1",
    get other(): never {
      throw new Error("this field must not be read");
    },
  };
  expect(sentField(body, "project_id")).toBe("site_1");
});

it.each([
  ["a missing field", {}, "project_id"],
  ["an inherited field", {}, "constructor"],
  ["a field of a string", "project_id", "project_id"],
  ["a field of null", null, "project_id"],
  ["a field of an array", ["site_1"], "project_id"],
])("%s is undefined", (_, body, name) => {
  expect(sentField(body, name)).toBeUndefined();
});
