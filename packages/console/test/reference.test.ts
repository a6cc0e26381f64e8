import { expect, it } from "vitest";
import type { ApiDocument, Operation, Schema } from "../site/reference/document.ts";
import { withOnlyMember } from "../site/reference/fields.tsx";
import { findDots } from "../site/reference/request.ts";

const sentEmpty: Schema = { $ref: "#/components/schemas/SentEmpty" };
const document: ApiDocument = {
  info: { title: "" },
  tags: [],
  paths: {},
  components: { schemas: { Name: { type: "string", maxLength: 100 } } },
};
const name: Schema = { $ref: "#/components/schemas/Name" };

it.each<{ readonly anyOf: readonly Schema[] }>([
  { anyOf: [name, sentEmpty] },
  { anyOf: [name, { type: "null" }, sentEmpty] },
  { anyOf: [{ anyOf: [name, { type: "null" }] }, sentEmpty] },
])("a field that may be empty has the limits of its only other member: %j", ({ anyOf }) => {
  expect(withOnlyMember(document, { description: "Own.", anyOf })).toEqual({
    description: "Own.",
    type: "string",
    maxLength: 100,
  });
});

it("a field with several members keeps them", () => {
  const schema: Schema = { anyOf: [name, { type: "number" }, sentEmpty] };
  expect(withOnlyMember(document, schema)).toBe(schema);
});

it.each([
  [".", "id"],
  ["..", "id"],
  ["...", undefined],
  ["a.b", undefined],
])("a value %j of the path is refused as %j", (value, refused) => {
  const operation: Operation = {
    anchor: "",
    method: "GET",
    path: "/v1/orders/{id}",
    summary: "",
    description: undefined,
    isPublic: false,
    parameters: [{ name: "id", in: "path", schema: {} }],
    body: undefined,
    responses: [],
  };
  expect(findDots(operation, { values: { id: value }, body: "" })).toBe(refused);
});
