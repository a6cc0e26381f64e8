import { expect, it } from "vitest";
import { toRecordId } from "../src/listeners/trigger.ts";

const unique = "01a2263f5bff7ecd9f36ec4d429bf2d8";

it.each([
  ["ord_1001", `ord_${unique}`],
  ["gid://shop/Order/1", `gid://shop/Order/${unique}`],
  ["#1001", `#${unique}`],
  ["größe", unique],
  ["1001", "117698593833320141"],
])("a triggered record has an id in the form of %s", (sampleId, id) => {
  expect(toRecordId(sampleId, unique)).toBe(id);
});

it("ids of one millisecond differ, also as numbers", () => {
  const [one, next] = ["01a2263f5bff7ecd9f36ec4d429bf2d8", "01a2263f5bff7ece9f36ec4d429bf2d8"];
  expect(toRecordId("1001", one)).not.toBe(toRecordId("1001", next));
});
