import { describe, expect, it } from "vitest";
import { createEventRegistry, readEvent, specificationEvents } from "../src/index.ts";
import type { DeclaredEvent } from "../src/index.ts";

const sent: DeclaredEvent = {
  description: "A parcel is sent.",
  schema: {
    type: "object",
    required: ["id", "weight"],
    properties: {
      id: { type: "string" },
      weight: { $ref: "#/$defs/weight" },
      code: { type: "string", pattern: "^[A-Z]{2}\\d+$" },
    },
    $defs: { weight: { type: "number", minimum: 0 } },
  },
  sample: { id: "par_1", weight: 2.5 },
};

function open() {
  const creation = createEventRegistry({});
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  return creation.registry;
}

const problemsOf = (change: Partial<DeclaredEvent>, name = "parcel.sent"): string[] =>
  open()
    .declare(new Map([[name, { ...sent, ...change }]]))
    .map(({ message }) => message);

it("a declared event is known at once, and unknown when it is gone", () => {
  const registry = open();
  expect(registry.declare(new Map([["parcel.sent", sent]]))).toEqual([]);
  expect(registry.names).toEqual([...specificationEvents.names, "parcel.sent"]);
  expect(registry.types.at(-1)).toMatchObject({
    event: "parcel.sent",
    name: "Parcel sent",
    sample: { id: "parcel.sent_par_1", data: { id: "par_1", weight: 2.5 } },
  });
  expect(registry.find("parcel.sent")?.toDataSchema()).toMatchObject({
    $id: "urn:hookwright:event:parcel.sent",
    required: ["id", "weight"],
  });
  registry.declare(new Map());
  expect(registry.names).toEqual(specificationEvents.names);
});

it("data that the schema refuses is named by its path", () => {
  const registry = open();
  registry.declare(new Map([["parcel.sent", sent]]));
  const read = (data: unknown) =>
    readEvent({ event: "parcel.sent", project_id: "site_1", data }, { events: registry, now: 0 });
  expect(read({ id: "par_1", weight: -1, code: "x" })).toMatchObject({
    problems: [expect.stringMatching(/^data\.weight: /u), expect.stringMatching(/^data\.code: /u)],
  });
  expect(read({ id: "par_1", weight: 1, note: "kept" })).toMatchObject({
    published: { record: { data: { id: "par_1", weight: 1, note: "kept" } } },
  });
  expect(read({ id: "par_1", weight: 1, note: "x".repeat(300_000) })).toMatchObject({
    problems: ["data: must be at most 256 KiB as JSON"],
  });
});

describe("a schema is refused", () => {
  it.each<[string, object, RegExp]>([
    ["that is too large", { description: "x".repeat(70_000) }, /^schema: must be at most 64 KiB/u],
    ["with a remote reference", { $ref: "https://example.com/x" }, /^schema\.\$ref: must begin with #/u],
    ["with a reference to nothing", { $ref: "#/$defs/none" }, /^schema\.\$ref: must lead to a schema here/u],
    ["with a reference that cannot be read", { $ref: "#/%" }, /^schema\.\$ref: must lead to a schema here/u],
    [
      "of another draft",
      { $schema: "http://json-schema.org/draft-07/schema#" },
      /^schema\.\$schema: must be/u,
    ],
    [
      "with a keyword that is not supported",
      { $dynamicRef: "#" },
      /^schema\.\$dynamicRef: must be left out/u,
    ],
    ["with a keyword of another draft", { dependencies: {} }, /must be dependentRequired or/u],
    ["with an unknown type", { items: { type: "text" } }, /^schema\.items\.type: must be one of string/u],
    ["with no type at all", { items: { type: [] } }, /^schema\.items\.type: must be one of string/u],
    ["with a limit that is none", { minProperties: "2" }, /^schema\.minProperties: must be an integer/u],
    [
      "with a pattern that is none",
      { items: { pattern: "(" } },
      /^schema\.items\.pattern: is not a regular/u,
    ],
    ["that refers to itself for the same value", { allOf: [{ $ref: "#" }] }, /sample: takes too many steps/u],
    [
      "with a pattern that may take forever",
      { properties: { a: { pattern: "^(a+)+$" } } },
      /repeat a group/u,
    ],
    [
      "with such a pattern of a field with the name of a keyword",
      { properties: { default: { pattern: "^(a+)+$" } } },
      /^schema\.properties\.default\.pattern: must not repeat a group/u,
    ],
    ["with another such pattern", { patternProperties: { "^(a|aa)*$": {} } }, /repeat a group/u],
    [
      "with a repeated group that has optional parts",
      { properties: { a: { pattern: "^(?:a?a?)*b$" } } },
      /repeat a group/u,
    ],
    [
      "with a pattern of many optional parts",
      { patternProperties: { "^(?:a?a?a?){9}b$": {} } },
      /must have fewer repetitions, optional parts/u,
    ],
    [
      "with a pattern of many alternatives in a row",
      { patternProperties: { [`^${"(a|aa)".repeat(26)}$`]: {} } },
      /must have fewer repetitions, optional parts/u,
    ],
  ])("%s", (_, schema, problem) => {
    const problems = problemsOf({ schema: { ...sent.schema, ...schema } });
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it("that is nested too deeply", () => {
    let schema: object = { type: "string" };
    for (let level = 0; level < 100; level++) schema = { type: "object", properties: { a: schema } };
    expect(problemsOf({ schema: { ...schema } })[0]).toMatch(/must be nested at most 32 levels deep/u);
  });

  it("that refuses its sample, or an event of the program or the specification", () => {
    expect(problemsOf({ sample: { id: "par_1" } })[0]).toMatch(/^sample\.weight: .*sample must be data/u);
    expect(problemsOf({}, "order.paid")[0]).toMatch(/^is an event of the specification/u);
    const definition = {
      ...sent,
      schema: { "~standard": { version: 1, vendor: "test", validate: () => ({ value: { id: "1" } }) } },
    } as const;
    const creation = createEventRegistry({ "parcel.sent": definition });
    if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
    expect(creation.registry.declare(new Map([["parcel.sent", sent]]))).toEqual([
      { event: "parcel.sent", message: expect.stringMatching(/^is defined by the program/u) },
    ]);
  });
});

describe("data is checked as the draft says, also by keywords without a type", () => {
  const inner = (schema: object): object => ({ properties: { a: schema } });
  it.each<[object, readonly unknown[], readonly [unknown, string][]]>([
    [{ required: ["w"] }, [{ w: 0 }], [[{}, "w: is required"]]],
    [inner({ required: ["w"] }), [{}, { a: 1 }], [[{ a: {} }, "a.w: is required"]]],
    [{ minProperties: 2, maxProperties: 2 }, [{ w: 0 }], [[{}, "data: must have at least 2 fields"]]],
    [inner({ minItems: 2 }), [{ a: [1, 2] }], [[{ a: [1] }, "a: must have at least 2 entries"]]],
    [inner({ items: { type: "string" } }), [{ a: ["x"] }], [[{ a: ["x", 1] }, "a.1: must be text"]]],
    [
      inner({ uniqueItems: true }),
      [{ a: [1, 2] }],
      [[{ a: [{ b: 1 }, { b: 1 }] }, "a: must not have equal"]],
    ],
    [inner({ contains: { const: 1 } }), [{ a: [2, 1] }], [[{ a: [2] }, "a: must have at least 1 entries"]]],
    [inner({ minimum: 3 }), [{ a: 3 }, { a: "x" }], [[{ a: 2.5 }, "a: must be at least 3"]]],
    [
      inner({ multipleOf: 0.01 }),
      [{ a: 19.99 }, { a: 0.07 }],
      [[{ a: 0.075 }, "a: must be a multiple of 0.01"]],
    ],
    [inner({ maxLength: 1 }), [{ a: "\u{1F600}" }], [[{ a: "xy" }, "a: must have at most 1 characters"]]],
    [inner({ pattern: "^\\p{Lu}" }), [{ a: "É" }, { a: 1 }], [[{ a: "é" }, "a: must match the pattern"]]],
    [
      inner({ type: ["integer", "null"] }),
      [{ a: 1 }, { a: null }],
      [[{ a: 1.5 }, "a: must be an integer or null"]],
    ],
    [inner({ const: { b: [1] } }), [{ a: { b: [1] } }], [[{ a: { b: [2] } }, 'a: must be {"b":[1]}']]],
    [
      inner({ type: "string", enum: ["x", 1] }),
      [{ a: "x" }],
      [
        [{ a: 1 }, "a: must be text"],
        [{ a: "y" }, "a: must be one of"],
      ],
    ],
    [
      inner({ enum: Array.from({ length: 30 }, (_, index) => index) }),
      [{ a: 29 }],
      [[{ a: 30 }, `a: must be one of ${Array.from({ length: 20 }, (_, index) => index).join(", ")}, …`]],
    ],
    [
      inner({ $ref: "#/$defs/s", minLength: 2 }),
      [{ a: "xy" }],
      [
        [{ a: "x" }, "a: must have at least 2"],
        [{ a: 1 }, "a: must be text"],
      ],
    ],
    [{ additionalProperties: false, properties: { id: {} } }, [{}], [[{ w: 1 }, "w: is not allowed"]]],
    [
      { required: ["z"], anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      [{ z: 1, b: 1 }],
      [
        [{ a: 1 }, "z: is required"],
        [{ z: 1 }, "a: is required"],
      ],
    ],
    [
      { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      [{ b: 1 }],
      [[{ a: 1, b: 1 }, "data: must fit one schema of oneOf"]],
    ],
    [{ allOf: [{ required: ["a"] }], required: ["b"] }, [{ a: 1, b: 1 }], [[{ b: 1 }, "a: is required"]]],
    [
      inner({ anyOf: [{ type: "string" }, { type: "null" }] }),
      [{ a: null }],
      [[{ a: 1 }, "a: must be text, or must be null"]],
    ],
    [inner({ not: { type: "null" } }), [{ a: 1 }], [[{ a: null }, "a: is refused by a schema under not"]]],
    [
      {
        if: { properties: { a: { const: 1 } }, required: ["a"] },
        ...JSON.parse('{ "then": { "required": ["b"] } }'),
        else: { required: ["c"] },
      },
      [{ a: 1, b: 1 }, { c: 1 }],
      [
        [{ a: 1, c: 1 }, "b: is required"],
        [{ a: 2 }, "c: is required"],
      ],
    ],
    [{ dependentRequired: { a: ["b"] } }, [{}, { a: 1, b: 1 }], [[{ a: 1 }, "b: is required with a"]]],
    [
      { allOf: [{ properties: { id: {}, a: {} } }], unevaluatedProperties: false },
      [{ a: 1 }],
      [[{ b: 1 }, "b: is not allowed"]],
    ],
  ])("%j", (schema, accepted, refused) => {
    const registry = open();
    const sample = { id: "1", ...Object(accepted[0]) };
    const declared = { ...sent, schema: { ...schema, $defs: { s: { type: "string" } } }, sample };
    expect(registry.declare(new Map([["parcel.sent", declared]]))).toEqual([]);
    const read = (data: unknown) =>
      registry.find("parcel.sent")?.read({ id: "1", ...Object(data) }, { now: 0 });
    for (const data of accepted) expect([data, read(data)]).toMatchObject([data, { ok: true }]);
    for (const [data, problem] of refused) {
      const text = problem.startsWith("data: ") ? problem : `data.${problem}`;
      expect([data, read(data)]).toEqual([data, { ok: false, problems: [expect.stringContaining(text)] }]);
    }
  });
});

describe("checking data has an end", () => {
  const doubled = Array.from({ length: 30 }, (_, level) => [
    `d${level}`,
    { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
  ]);
  const many = Array.from({ length: 20_000 }, (_, index) => index);
  it.each<[string, object, unknown, readonly string[]]>([
    ["under not", { not: { $ref: "#/$defs/d0" } }, 1, ["data: takes too many steps to check"]],
    [
      "in alternatives",
      { anyOf: [{ $ref: "#/$defs/d0" }, { type: "null" }] },
      1,
      ["data: takes too many steps"],
    ],
    [
      "with a long text and a pattern",
      { pattern: "^a*a*b$" },
      "a".repeat(200_000),
      ["data.a: must have at most 10000 characters, because it has a pattern"],
    ],
    [
      "with a long list and a long enum",
      { items: { enum: many.slice(0, 5_000).map((each) => ({ a: each })) } },
      many,
      many.slice(0, 20).map((each) => `data.a.${each}: must be one of {"a":0}`),
    ],
    [
      "with lists of alternatives that say the same",
      { anyOf: [{ anyOf: [{ type: "null" }, { type: "string" }] }, { type: "null" }] },
      1,
      ["data.a: must be null, or must be text"],
    ],
  ])("%s", (_, schema, a, problems) => {
    const registry = open();
    const $defs = Object.fromEntries([...doubled, ["d30", { not: { type: "null" } }]]);
    const declared = { ...sent, schema: { properties: { a: schema }, $defs }, sample: { id: "1" } };
    expect(registry.declare(new Map([["parcel.sent", declared]]))).toEqual([]);
    expect(registry.find("parcel.sent")?.read({ id: "1", a }, { now: 0 })).toEqual({
      ok: false,
      problems: problems.map((each) => expect.stringContaining(each)),
    });
  });
});

it("harmless patterns pass", () => {
  for (const pattern of [
    "^(ab)?[a-z]+$",
    "^(?:a|b)c$",
    "\\(a+\\)+",
    "[(+]*",
    "^\\d{4}-\\d{2}$",
    "^(x{2})+$",
    "^(?:ab)+c?$",
    "\\?+",
    "^P(?:\\d+Y)?(?:\\d+M)?(?:\\d+W)?(?:\\d+D)?(?:T(?:\\d+H)?(?:\\d+M)?(?:\\d+(?:\\.\\d+)?S)?)?$",
    "^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)$",
    `^(?:${"AT|CH|DE|".repeat(50)}FR)$`,
  ])
    expect([
      pattern,
      problemsOf({
        schema: { ...sent.schema, properties: { id: {}, weight: {}, code: { type: "string", pattern } } },
      }),
    ]).toEqual([pattern, []]);
});
