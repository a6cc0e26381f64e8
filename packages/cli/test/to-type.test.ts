import { describe, expect, it } from "vitest";
import { renderJsonSchema, renderTypeScript } from "../src/types/render-types.ts";
import { toComment, toType } from "../src/types/to-type.ts";

/** In one line. */
const typeOf = (schema: object): string =>
  toType({ ...schema }, (words) => `T${words}`).type.replaceAll(/\s+/gu, " ");
const fieldOf = (schema: unknown): string =>
  typeOf({ type: "object", required: ["a"], properties: { a: schema } }).replace(/^\{ a: (.*); \}$/u, "$1");

describe("a value", () => {
  it.each<[string, unknown, string]>([
    ["text", { type: "string", format: "date-time", pattern: "^a" }, "string"],
    ["a whole number", { type: "integer", minimum: 1 }, "number"],
    ["a number or null", { type: ["number", "null"] }, "number | null"],
    ["true or false", { type: "boolean" }, "boolean"],
    [
      "one of some",
      { type: "string", enum: ["a", 'b"c', null, 1.5, true] },
      '"a" | "b\\"c" | null | 1.5 | true',
    ],
    ["one value", { const: "a" }, '"a"'],
    ["an object as a value", { const: { a: 1 } }, "unknown"],
    ["a number that JavaScript cannot hold", { const: Infinity }, "number"],
    ["anything", {}, "unknown"],
    ["anything, as a boolean", true, "unknown"],
    ["nothing", false, "never"],
    ["nothing, as a negation", { not: {} }, "never"],
    ["a keyword that no type expresses", { not: { type: "string" } }, "unknown"],
    ["an unknown type", { type: "date" }, "unknown"],
    ["fields, which may be of no object", { properties: { b: { type: "string" } } }, "unknown"],
    ["either", { anyOf: [{ type: "string" }, { type: "number" }, { type: "string" }] }, "string | number"],
    ["either, one unknown", { oneOf: [{ type: "string" }, { format: "x" }] }, "unknown"],
    ["both", { allOf: [{ type: "string" }, { enum: ["a", "b"] }] }, '(string & ("a" | "b"))'],
    ["both, one unknown", { allOf: [{ type: "string" }, { minLength: 1 }] }, "string"],
    ["never both", { allOf: [{ type: "string" }, false] }, "never"],
    ["a list", { type: "array", items: { type: "string" } }, "string[]"],
    ["a list of either", { type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    ["a list of anything", { type: "array" }, "unknown[]"],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: ["number", "null"] }], minItems: 1 },
      "[string, (number | null)?, ...unknown[]]",
    ],
    ["a closed tuple", { type: "array", prefixItems: [{ const: 1 }], items: false, minItems: 1 }, "[1]"],
    ["an object", { type: "object" }, "{ [name: string]: unknown }"],
    ["a map", { type: "object", additionalProperties: { type: "number" } }, "{ [name: string]: number }"],
    ["an empty object", { type: "object", additionalProperties: false }, "{ [name: string]: never }"],
    [
      "a map by pattern",
      { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
      "{ [name: string]: string }",
    ],
    ["an optional field", { type: "object", properties: { b: { type: "string" } } }, "{ b?: string; }"],
    ["a field without a schema", { type: "object", required: ["b"] }, "{ b: unknown; }"],
    [
      "names that are no identifiers",
      { type: "object", required: ["a-b", "1", "__proto__"], properties: { "": { type: "string" } } },
      '{ ""?: string; "a-b": unknown; "1": unknown; __proto__: unknown; }',
    ],
    [
      "more fields",
      { type: "object", required: ["b"], properties: { b: { type: "string" } }, additionalProperties: {} },
      "{ b: string; [name: string]: unknown; }",
    ],
    [
      "no more fields",
      { type: "object", required: ["b"], properties: { b: { const: 1 } }, additionalProperties: false },
      "{ b: 1; }",
    ],
    [
      "an object with alternatives",
      {
        type: "object",
        properties: { kind: { type: "string" } },
        oneOf: [{ required: ["b"] }, { properties: { c: { type: "number" } }, required: ["c"] }],
      },
      "({ kind?: string; } & ({ b: unknown; } | { c: number; }))",
    ],
    ["an embedded document", { $id: "https://a.example", type: "string" }, "unknown"],
    ["a reference to nothing", { $ref: "#/$defs/none" }, "unknown"],
    ["a reference to another document", { $ref: "https://a.example#/a" }, "unknown"],
    ["a reference to an anchor", { $ref: "#a" }, "unknown"],
    ["a reference to a part", { $ref: "#/required/0" }, "T0"],
  ])("that is %s", (_, schema, type) => {
    expect(fieldOf(schema)).toBe(type);
  });

  it("that is nested without an end is unknown at the end", () => {
    let schema: object = { type: "string" };
    for (let level = 0; level < 1_000; level++) schema = { type: "array", items: schema };
    expect(fieldOf(schema)).toMatch(/^unknown(?:\[\]){60,70}$/u);
  });
});

describe("references", () => {
  const convert = (schema: object) => {
    const { type, named } = toType({ ...schema }, (words) => `T_${words}`);
    return [type, ...named.map((each) => `${each.name} = ${each.type}`)].map((text) =>
      text.replaceAll(/\s+/gu, " "),
    );
  };

  it("become named types, which may contain themselves", () => {
    const tree = {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string" },
        children: { type: "array", items: { $ref: "#/$defs/a~1b%20c" } },
      },
    };
    expect(
      convert({
        ...tree,
        $defs: { "a/b c": { ...tree, properties: { ...tree.properties, up: { $ref: "#" } } } },
      }),
    ).toEqual([
      "T_#",
      "T_a~1b%20c = { id: string; children?: T_a~1b%20c[]; up?: T_#; }",
      "T_# = { id: string; children?: T_a~1b%20c[]; }",
    ]);
  });

  it("become maps that may contain themselves", () => {
    const map = {
      type: "object",
      additionalProperties: { anyOf: [{ type: "string" }, { $ref: "#/$defs/m" }] },
    };
    expect(convert({ type: "object", properties: { a: { $ref: "#/$defs/m" } }, $defs: { m: map } })).toEqual([
      "{ a?: T_m; }",
      "T_m = { [name: string]: string | T_m }",
    ]);
  });

  it("that lead only to themselves are unknown, because TypeScript refuses such a type", () => {
    const $defs = {
      a: { $ref: "#/$defs/a" },
      b: { anyOf: [{ type: "string" }, { $ref: "#/$defs/c" }] },
      c: { oneOf: [{ $ref: "#/$defs/b" }, { type: "array", items: { $ref: "#/$defs/c" } }] },
    };
    const properties = Object.fromEntries(["a", "b", "c"].map((name) => [name, { $ref: `#/$defs/${name}` }]));
    expect(convert({ type: "object", properties, $defs })).toEqual([
      "{ a?: T_a; b?: T_b; c?: T_c; }",
      "T_a = unknown",
      "T_b = string | T_c",
      "T_c = unknown",
    ]);
    expect(convert({ anyOf: [{ type: "object" }, { $ref: "#" }] })).toEqual(["unknown"]);
  });

  it("of many alternatives take no time that doubles with each", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => {
        const next = [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/e${index + 1}` }];
        return [
          [`d${index}`, { anyOf: next }],
          [`e${index}`, { anyOf: next }],
        ] as const;
      }).flat(),
    );
    const { named } = toType(
      { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs },
      (words) => words,
    );
    expect(named).toHaveLength(399);
  });
});

it.each([
  [{ description: "A total." }, ["/** A total. */"]],
  [{ description: " A total.\r\nOr none.\n\n " }, ["/**", " * A total.", " * Or none.", " */"]],
  [{ description: "ends */ alert(1) /*" }, ["/** ends *\\/ alert(1) /* */"]],
  [{ description: "\u001b[2J\u202e" }, ["/** \\u001b[2J\\u202e */"]],
  [{ deprecated: true }, ["/** @deprecated */"]],
  [{ description: 5 }, []],
  [true, []],
])("the comment of %j is %j", (schema, lines) => {
  expect(toComment(schema)).toEqual(lines);
});

const found = {
  events: [
    {
      event: "a.b",
      description: "It happens.",
      data: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string", description: "Its id." }, "no name": { $ref: "#/$defs/x" } },
        $defs: { x: { type: "array", items: { $ref: "#/$defs/x" } } },
      },
    },
    { event: "a.b-c", description: undefined, data: { $ref: "#/$defs/x", $defs: { x: { type: "object" } } } },
    { event: "a-b.c", description: undefined, data: { $ref: "#/$defs/x", $defs: { x: { type: "object" } } } },
  ],
  body: {
    id: { type: "string" },
    project: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
  },
  bodyForm: "hookwright",
  headerPrefix: "X-Service",
} as const;

it("the TypeScript of two events", () => {
  expect(renderTypeScript(found, { origin: "Made by\nhand.", bodyForm: "standard" }))
    .toBe(`// Made by\\u000ahand.

/** The \`data\` of each event, for the verifier: \`verify<EventData>({ … })\`. */
export interface EventData {
  /** It happens. */
  "a.b": {
    /** Its id. */
    id: string;
    "no name"?: ABX;
  };
  "a.b-c": ABCX;
  "a-b.c": ABCX_2;
}

/** The site of an event. */
export interface EventProject {
  id: string;
}

/** The body of a delivery. Comparing \`type\` with a name narrows \`data\`. */
export type DeliveryBody = {
  [Name in keyof EventData]: {
    type: Name;
    timestamp: string;
    data: EventData[Name];
    id: string;
    project: EventProject;
  };
}[keyof EventData];

type ABX = ABX[];

type ABCX = { [name: string]: unknown };

type ABCX_2 = { [name: string]: unknown };`);
});

it("the JSON Schema of both forms", () => {
  const render = (bodyForm: "hookwright" | "standard") =>
    JSON.parse(renderJsonSchema(found, { origin: "Made by hand.", bodyForm }));
  expect(render("hookwright")).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: "Made by hand.",
    oneOf: [{ $ref: "#/$defs/a.b" }, { $ref: "#/$defs/a.b-c" }, { $ref: "#/$defs/a-b.c" }],
    $defs: {
      "a.b": {
        description: "It happens.",
        required: ["id", "event", "project", "data"],
        properties: { event: { const: "a.b" }, data: { required: ["id"] } },
      },
    },
  });
  expect(render("standard").$defs["a.b"]).toMatchObject({
    required: ["type", "timestamp", "data", "id", "project"],
    properties: { type: { const: "a.b" }, timestamp: { format: "date-time" } },
  });
});
