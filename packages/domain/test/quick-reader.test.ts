import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventCatalogue, sampleDeliveryBody } from "../src/events/event-catalogue.ts";
import { eventNames } from "../src/events/event-names.ts";
import { quickReaderOf, unread } from "../src/quick-reader.ts";

/** What somebody might send in place of a field: nothing, another type, an edge of what is right. */
const replacements = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.string({ unit: "binary" }),
  fc.constant(" "),
  fc.constant("\ud800"),
  fc.constant("x".repeat(20_001)),
  fc.constant("2026-11-20T10:30:00+01:00"),
  fc.constant("Ada@Example.com"),
  fc.double(),
  fc.integer(),
  fc.constant(0.1 + 0.2),
  fc.constant([]),
  fc.array(fc.jsonValue(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3, noNullPrototype: true }),
);

/** A copy of a value with one place in it replaced: which one, `path` chooses. */
function replaceAt(value: unknown, path: readonly number[], replacement: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return replacement;
  const names = Object.keys(value);
  const name = names[first % Math.max(1, names.length)];
  if (name === undefined) return replacement;
  const copy: Record<string, unknown> = { ...value };
  copy[name] = replaceAt(copy[name], rest, replacement);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const changes = fc.array(
  fc.record({ path: fc.array(fc.nat({ max: 40 }), { maxLength: 4 }), replacement: replacements }),
  { maxLength: 3 },
);

describe.each(eventNames)("records of %s", (event) => {
  const { dataSchema } = eventCatalogue[event];
  const read = quickReaderOf(dataSchema);
  const sample = sampleDeliveryBody(event).data;

  it("are read just as their schema reads them, or not at all", () => {
    fc.assert(
      fc.property(changes, (all) => {
        const value = all.reduce<unknown>(
          (before, { path, replacement }) => replaceAt(before, path, replacement),
          sample,
        );
        const quick = read(value);
        const judged = dataSchema.safeParse(value);
        if (quick === unread) return;
        expect(judged).toEqual({ success: true, data: quick });
        expect(JSON.stringify(quick)).toBe(JSON.stringify(judged.data));
      }),
      { numRuns: 500 },
    );
  });

  // Tags default to a list, which a quick reader would share between all that it reads.
  it("are read quickly where they are right", () => {
    if (event === "subscriber.created") return expect(read(sample)).toBe(unread);
    expect(read(sample)).toEqual(sample);
    expect(read({ ...sample, unknown: 1 })).toEqual(sample);
    expect(read(sample)).not.toBe(sample);
  });
});

describe("a quick reader", () => {
  it("leaves a schema with a part it does not know to the schema", () => {
    const schema = z.object({ when: z.date() });
    expect(quickReaderOf(schema)({ when: new Date(0) })).toBe(unread);
  });

  it("leaves checks that take time to the schema", () => {
    const schema = z.string().refine(async () => true);
    expect(quickReaderOf(schema)("text")).toBe(unread);
  });

  it("tells nothing of one value to the next", () => {
    const read = quickReaderOf(z.array(z.string()).min(1));
    expect(read([])).toBe(unread);
    expect(read(["a"])).toEqual(["a"]);
    expect(read([1])).toBe(unread);
    expect(read(["b"])).toEqual(["b"]);
  });
});
