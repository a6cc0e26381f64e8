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
    ["with a reference to nothing", { $ref: "#/$defs/none" }, /^schema: cannot be checked \(Reference not/u],
    [
      "of another draft",
      { $schema: "http://json-schema.org/draft-07/schema#" },
      /^schema\.\$schema: must be/u,
    ],
    [
      "with a keyword that is not supported",
      { dependentRequired: { id: ["weight"] } },
      /^schema: cannot be checked/u,
    ],
    [
      "with a pattern that may take forever",
      { properties: { a: { pattern: "^(a+)+$" } } },
      /repeat a group/u,
    ],
    ["with another such pattern", { patternProperties: { "^(a|aa)*$": {} } }, /repeat a group/u],
    [
      "with a repeated group that has optional parts",
      { properties: { a: { pattern: "^(?:a?a?)*b$" } } },
      /repeat a group/u,
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
  ])
    expect([
      pattern,
      problemsOf({
        schema: { ...sent.schema, properties: { id: {}, weight: {}, code: { type: "string", pattern } } },
      }),
    ]).toEqual([pattern, []]);
});
