import { expect, it } from "vitest";
import { z } from "zod";
import { createEventRegistry, describeFields, specificationEvents } from "../src/index.ts";
import type { EventField, OwnEvent, StandardSchema } from "../src/index.ts";

function fieldsOf(definition: OwnEvent): ReadonlyMap<string, EventField> {
  const creation = createEventRegistry({ "parcel.sent": definition });
  const known = creation.ok ? creation.registry.find("parcel.sent") : undefined;
  if (known === undefined) throw new Error(JSON.stringify(creation));
  const fields = describeFields(known.toDataSchema(), known.type.sample.data);
  return new Map(fields.map((field) => [field.path, field]));
}

it("every field of an event of the specification has a description", () => {
  const known = specificationEvents.find("order.paid");
  const fields = describeFields(known?.toDataSchema() ?? {}, known?.type.sample.data);
  expect(fields.find(({ path }) => path === "items[].sku")).toEqual({
    path: "items[].sku",
    type: "text or null",
    required: true,
    description: "Stock keeping unit, or null.",
    values: [],
    example: "LOAF-1",
  });
  expect(fields.filter(({ description }) => description === null)).toEqual([]);
});

interface Node {
  readonly name: string;
  readonly parts?: Node[] | undefined;
}
const node: z.ZodType<Node> = z.lazy(() => z.object({ name: z.string(), parts: z.array(node).optional() }));

it("fields, values and descriptions are those of the schema, of optional fields too", () => {
  const schema = z.object({
    id: z.string().describe("The id of the parcel."),
    carrier: z.enum(["DHL", "UPS"]).optional().describe("Who carries it."),
    kind: z.literal("parcel"),
    weight: z.number().nullable().optional().describe("In kilograms."),
    tags: z.array(z.string()).optional(),
    stops: z.array(z.object({ city: z.string().describe("Where it stops.") })).optional(),
    tree: node.optional(),
  });
  const fields = fieldsOf({ schema, sample: { id: "p_1", kind: "parcel" }, description: "Sent." });
  expect(fields.get("carrier")).toEqual({
    path: "carrier",
    type: "text",
    required: false,
    description: "Who carries it.",
    values: ["DHL", "UPS"],
    example: null,
  });
  expect(fields.get("kind")).toMatchObject({ type: "text", values: ["parcel"], example: "parcel" });
  expect(fields.get("weight")).toMatchObject({ type: "number or null", description: "In kilograms." });
  expect(fields.get("tags")).toMatchObject({ type: "list of text", required: false });
  expect(fields.get("stops[].city")).toMatchObject({ required: false, description: "Where it stops." });
  expect(fields.get("tree.parts[].name")).toMatchObject({ type: "text" });
  expect(fields.size).toBeLessThan(100);
});

it("a schema without a JSON Schema is described by the sample", () => {
  const silent: StandardSchema = {
    "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
  };
  const sample = { id: "p_1", weight: 1.5, stops: [{ city: "London" }], note: null };
  const fields = fieldsOf({ schema: silent, sample, description: "Sent." });
  expect([...fields.values()].map(({ path, type, example }) => [path, type, example])).toEqual([
    ["id", "text", "p_1"],
    ["weight", "number", 1.5],
    ["stops[].city", "text", "London"],
    ["note", "null", null],
  ]);
});

it("an event with a record has the fields of the record and its own", () => {
  const schema = z.object({ id: z.string(), tracking: z.string().optional().describe("Of the parcel.") });
  const sample = { id: "ord_1", total: 9 };
  const fields = fieldsOf({ schema, sample, description: "Sent.", record: "orders" });
  expect(fields.get("total")).toMatchObject({ description: "What the customer pays.", example: 9 });
  expect(fields.get("tracking")).toMatchObject({ description: "Of the parcel.", required: false });
});

it("unions and intersections are described with all their fields and values", () => {
  const schema = z.object({
    id: z.string(),
    speed: z
      .union([z.literal(1), z.literal(2)])
      .nullable()
      .optional(),
    payment: z.discriminatedUnion("by", [
      z.object({ by: z.literal("card"), last4: z.string().describe("The last digits.") }),
      z.object({ by: z.literal("invoice"), due: z.string() }),
    ]),
    place: z
      .intersection(z.object({ city: z.string() }), z.object({ zip: z.string().optional() }))
      .optional(),
  });
  const sample = { id: "p_1", payment: { by: "card", last4: "4242" } };
  const fields = fieldsOf({ schema, sample, description: "Sent." });
  expect(fields.get("speed")).toMatchObject({ type: "number or null", values: [1, 2], required: false });
  expect(fields.get("payment.by")).toMatchObject({ values: ["card", "invoice"], required: true });
  expect(fields.get("payment.last4")).toMatchObject({ required: false, description: "The last digits." });
  expect(fields.get("payment.due")).toMatchObject({ type: "text", required: false });
  expect([fields.get("place.city")?.type, fields.get("place.zip")?.type]).toEqual(["text", "text"]);
});

it("the own fields of a union are described beside those of the record", () => {
  const schema = z.discriminatedUnion("by", [
    z.object({ by: z.literal("post"), carrier: z.string().describe("Who carries it.") }),
    z.object({ by: z.literal("bike"), rider: z.string() }),
  ]);
  const sample = { id: "ord_1", total: 9, by: "post", carrier: "DHL" };
  const fields = fieldsOf({ schema, sample, description: "Sent.", record: "orders" });
  expect(fields.get("by")).toMatchObject({ values: ["post", "bike"], required: true });
  expect(fields.get("carrier")).toMatchObject({ required: false, description: "Who carries it." });
  expect(fields.get("rider")).toMatchObject({ required: false });
  expect(fields.get("total")).toMatchObject({ required: true });
});
