import { expect, it } from "vitest";
import { z } from "zod";
import { createEventRegistry, parseJson, readEvent } from "../src/index.ts";
import type { EventRegistry, OwnEvents, StandardSchema } from "../src/index.ts";

const schema = z.object({ id: z.string(), days: z.coerce.number().default(3) });
const expired = { schema, sample: { id: "m_1" }, description: "A membership has expired." };
const shipped = {
  schema: z.looseObject({ id: z.string(), status: z.literal("shipped") }),
  sample: { id: "ord_1", total: 9, status: "shipped" },
  description: "An order is shipped.",
  record: "orders",
} as const;

function open(events: OwnEvents): EventRegistry {
  const creation = createEventRegistry(events);
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  return creation.registry;
}

function problemsOf(events: object): readonly unknown[] {
  const creation = createEventRegistry(Object.fromEntries(Object.entries(events)));
  return creation.ok ? [] : creation.problems.map(({ event, message }) => `${event}: ${message}`);
}

function read(events: EventRegistry, event: string, data: unknown) {
  return readEvent({ event, project_id: "site_1", data }, { now: 1_000, events });
}

it("own events follow those of the specification, with a complete sample", () => {
  const { names, types, kinds } = open({ "membership.expired": expired, "order.shipped": shipped });
  expect(names.slice(-2)).toEqual(["membership.expired", "order.shipped"]);
  expect(kinds.slice(-2)).toEqual(["reviews", "membership.expired"]);
  expect(types.slice(-2)).toMatchObject([
    {
      event: "membership.expired",
      name: "Membership expired",
      sample: { id: "membership.expired_m_1", data: { id: "m_1", days: 3 } },
    },
    { event: "order.shipped", sample: { data: { id: "ord_1", total: 9, items: [], coupon_code: null } } },
  ]);
});

it.each<[name: string, event: string, definition: unknown, problem: RegExp]>([
  ["a name of the specification", "order.paid", expired, /event of the specification/],
  ["a bad name", "Order Shipped", expired, /2 to 5 parts/],
  ["no schema", "a.b", { ...expired, schema: {} }, /schema must be a Standard Schema/],
  ["no description", "a.b", { ...expired, description: " " }, /description must say/],
  ["an unknown record", "a.b", { ...expired, record: "parcels" }, /record must be one of orders, /],
  ["a sample that its schema refuses", "a.b", { ...expired, sample: { id: true } }, /sample\.id: /],
  [
    "a sample without an id",
    "a.b",
    { ...expired, schema: z.object({}), sample: {} },
    /sample\.id: is required/,
  ],
  [
    "an asynchronous schema",
    "a.b",
    { ...expired, schema: schema.refine(async () => true) },
    /schema is asynchronous/,
  ],
  [
    "a sample that is no order",
    "a.b",
    { ...shipped, sample: { id: "1", status: "shipped" } },
    /sample\.total/,
  ],
])("%s is refused, and the event is named", (_name, event, definition, problem) => {
  const problems = problemsOf({ [event]: definition });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
  expect(problems[0]).toContain(`${event}: `);
});

it("an own kind stores what its schema returns, with the id first", () => {
  const events = open({ "membership.expired": expired });
  const reading = read(events, "membership.expired", { days: "7", id: "m_1" });
  expect(reading).toMatchObject({
    ok: true,
    published: { kind: "membership.expired", record: { data: { id: "m_1", days: 7 }, adjusted: ["days"] } },
  });
  if (reading.ok) expect(JSON.stringify(reading.published.record.data)).toBe('{"id":"m_1","days":7}');
});

it.each([
  ["17", "17", ["id"]],
  ["9007199254740993", "9007199254740993", ["id"]],
])("an id that is the number %s is read as its text", (sent, id, adjusted) => {
  const schema = z.object({ id: z.string() });
  const loose = z.looseObject({ id: z.union([z.number(), z.bigint()]) });
  const own = { sample: { id: "1" }, description: "Own." };
  const events = open({
    "a.text": { ...own, schema },
    "a.number": { ...own, schema: loose, sample: { id: 1 } },
  });
  for (const event of ["a.text", "a.number"])
    expect(read(events, event, parseJson(`{"id":${sent}}`))).toMatchObject({
      published: { record: { data: { id }, adjusted } },
    });
});

it("a number that JavaScript cannot hold is refused by name, in an event of one's own", () => {
  const own = { sample: { id: "1", n: 1 }, description: "Own." };
  const events = open({
    "a.strict": { ...own, schema: z.object({ id: z.string(), n: z.number() }) },
    "a.loose": { ...own, schema: z.looseObject({ id: z.string() }) },
    "a.text": { ...own, schema: z.object({ id: z.string(), n: z.coerce.string() }) },
  });
  const data = parseJson('{"id":"1","n":9007199254740993}');
  for (const event of ["a.strict", "a.loose"])
    expect(read(events, event, data)).toMatchObject({
      problems: [
        "data.n: must be sent as text, because 9007199254740993 has more digits than a number can hold",
      ],
    });
  expect(read(events, "a.text", data)).toMatchObject({
    published: { record: { data: { n: "9007199254740993" } } },
  });
});

it.each(["1000000000000000000000", "-1500000000000000000000000"])(
  "the integer %s is a number that JavaScript holds, however it is written",
  (n) => {
    const loose = z.looseObject({ id: z.string() });
    const events = open({
      "a.loose": { schema: loose, sample: { id: "1", n: 1 }, description: "Own." },
    });
    expect(read(events, "a.loose", parseJson(`{"id":"1","n":${n}}`))).toMatchObject({
      published: { record: { data: { n: Number(n) } } },
    });
  },
);

it("fields that the schema of an own kind does not return are named", () => {
  const lines = z.object({ id: z.string(), lines: z.array(z.object({ sku: z.string() })) });
  const event = { schema: lines, sample: { id: "1", lines: [] }, description: "A cart is left." };
  const events = open({ "cart.left": event });
  const sent = { id: "1", lines: [{ sku: "a" }, { sku: "b", sku2: "c" }], cart: { open: true } };
  expect(read(events, "cart.left", sent)).toMatchObject({
    published: { record: { dropped: ["lines.1.sku2", "cart"] } },
  });
});

it("an event with a record checks what was published, and reads it as that record", () => {
  const events = open({ "order.shipped": shipped });
  expect(read(events, "order.shipped", { id: "o", total: "9.00", status: "paid" })).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/^data\.status: /)],
  });
  expect(read(events, "order.shipped", { id: "o", total: "9.00", status: "shipped" })).toMatchObject({
    published: { kind: "orders", record: { data: { total: 9, tip: null } } },
  });
});

const tracked = {
  schema: z.object({
    id: z.coerce.string(),
    tracking: z.string().describe("The number of the parcel."),
    parcels: z.array(z.object({ id: z.string(), kg: z.coerce.number() })).optional(),
    note: z.string().optional(),
  }),
  sample: { id: "ord_1", total: "9.00", tracking: "JD01", extra: true },
  description: "An order is shipped.",
  record: "orders",
} as const;

it("an own field whose name begins like one of the record is not called dropped", () => {
  const schema = z.object({ notes: z.string() });
  const sample = { id: "ord_1", total: 9, notes: "Two parcels" };
  const events = open({ "order.shipped": { schema, sample, description: "Sent.", record: "orders" } });
  const reading = read(events, "order.shipped", { ...sample, ids: 1 });
  expect(reading).toMatchObject({ published: { record: { ownFields: { notes: "Two parcels" } } } });
  expect(reading).toMatchObject({ published: { record: { dropped: ["ids"] } } });
});

it("a short bigint that the schema refuses has not lost digits", () => {
  const schema = z.object({ id: z.string(), plan: z.string() });
  const events = open({ "plan.ended": { schema, sample: { id: "p", plan: "Gold" }, description: "Ended." } });
  const problems = [expect.stringMatching(/^data\.plan: (?!must be sent as text)/u)];
  expect(read(events, "plan.ended", { id: "p", plan: 5n })).toMatchObject({ problems });
});

it("an event with a record has the other fields that its schema returns, too", () => {
  const events = open({ "order.shipped": tracked });
  const data = {
    ...tracked.sample,
    parcels: [{ id: "p_1", kg: "1.5", lbs: 3 }],
    shipping_address: { street: "12 Byron Lane" },
  };
  const reading = read(events, "order.shipped", data);
  if (!reading.ok) throw new Error(reading.problems.join());
  const { record } = reading.published;
  // The note is a field of the order, which wins.
  expect(record.ownFields).toEqual({ tracking: "JD01", parcels: [{ id: "p_1", kg: 1.5 }] });
  expect(record.data).not.toHaveProperty("tracking");
  expect(record.adjusted).toContain("parcels.0.kg");
  expect(record.dropped).toEqual(["shipping_address.street", "extra", "parcels.0.lbs"]);
  expect(read(events, "order.shipped", { id: "o", total: 1 })).toMatchObject({
    problems: [expect.stringMatching(/^data\.tracking: /)],
  });
  expect(read(events, "order.shipped", { id: "o", total: 1, tracking: "x".repeat(2 ** 18) })).toEqual({
    ok: false,
    projectId: "site_1",
    problems: ["data: must be at most 256 KiB as JSON"],
  });
});

it("an event with a record is described by the record and its schema", () => {
  const events = open({ "order.shipped": tracked });
  const known = events.find("order.shipped");
  expect(known?.type.sample.data).toMatchObject({ id: "ord_1", total: 9, items: [], tracking: "JD01" });
  expect(known?.toDataSchema()).toMatchObject({
    properties: {
      total: { type: "number", description: "What the customer pays." },
      tracking: { type: "string", description: "The number of the parcel." },
      parcels: { type: "array" },
    },
    required: expect.arrayContaining(["total", "tracking"]),
  });
  const silent: StandardSchema = {
    "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
  };
  const undescribed = open({ "order.shipped": { ...tracked, schema: silent } }).find("order.shipped");
  expect(undescribed?.toDataSchema()).toMatchObject({
    properties: { total: { type: "number" }, tracking: { examples: ["JD01"] } },
  });
});

it("a schema is described as its data is delivered, and its references begin at it", () => {
  const bin: z.ZodType = z.object({ code: z.string(), bins: z.lazy(() => z.array(bin)) });
  const sample = { id: 7, bins: [] };
  const schema = z.object({ id: z.number(), bins: z.array(bin) });
  const description = "A stock changes.";
  const open = (record?: "orders") => {
    const creation = createEventRegistry({
      "stock.changed": { schema, sample: record ? { ...sample, total: 1 } : sample, description, record },
    });
    return creation.ok ? creation.registry.find("stock.changed")?.toDataSchema() : undefined;
  };
  // An id that is a number is sent as text.
  expect(open()).toMatchObject({
    $id: "urn:hookwright:event:stock.changed",
    required: ["id", "bins"],
    properties: { id: { type: "string" } },
  });
  expect(open("orders")).toMatchObject({ $id: "urn:hookwright:event:stock.changed" });
});

it("a reference to a whole schema does not mean the record with it", () => {
  const node: z.ZodType = z.object({ id: z.string(), up: z.lazy(() => node).optional() });
  const definition = { schema: node, sample: { id: "o", total: 1, up: { id: "p" } }, description: "A." };
  const creation = createEventRegistry({ "order.moved": { ...definition, record: "orders" } });
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  const described = creation.registry.find("order.moved")?.toDataSchema();
  expect(described).toMatchObject({ properties: { up: { examples: [{ id: "p" }] } } });
  expect(described).not.toHaveProperty("$id");
});

it("problems name the path and the reason, and the size is limited", () => {
  const anything: StandardSchema = {
    "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
  };
  const events = open({ "a.b": { schema: anything, sample: { id: "1" }, description: "Any." } });
  const problems = (data: unknown) => {
    const reading = read(events, "a.b", data);
    return reading.ok ? [] : reading.problems;
  };
  expect(problems({ id: "1", list: [{ price: Number.NaN }] })).toEqual([
    "data.list.0.price: must be a finite number",
  ]);
  expect(problems({ id: "1", text: "x".repeat(256 * 1_024) })).toEqual([
    "data: must be at most 256 KiB as JSON",
  ]);
  expect(problems({ id: true })[0]).toMatch(/^data\.id: must be text/);
  expect(problems({ id: "1", at: new Date(0), text: "\uD800" })).toEqual([]);
});

it("a record id never makes the body id of another event", () => {
  const events = open({ "visit.paid": expired, "visit.paid_late": { ...expired, description: "Late." } });
  const sent = (id: string) => read(events, "visit.paid", { ...expired.sample, id });
  expect(sent("late_1")).toMatchObject({
    problems: [expect.stringMatching(/^data\.id: must not begin with late_/)],
  });
  expect(sent("1_late").ok).toBe(true);
  const withId = { event: "visit.paid", project_id: "site_1", id: "late_1", data: expired.sample };
  expect(readEvent(withId, { events, now: 0 })).toMatchObject({
    problems: [expect.stringMatching(/^id: must not begin with late_/)],
  });
});

it("a name that begins with an event of the specification is refused, because ids of that event would be", () => {
  expect(createEventRegistry({ "order.paid_late": expired })).toMatchObject({
    ok: false,
    problems: [
      { event: "order.paid_late", message: expect.stringMatching(/^must not begin with order\.paid_/) },
    ],
  });
});

it("names have 2 to 5 parts, with capitals, digits, underscores and hyphens", () => {
  const problemsOf = (name: string, ...others: string[]) => {
    const named = [name, ...others].map((each) => [each, expired] as const);
    const creation = createEventRegistry(Object.fromEntries(named));
    return creation.ok ? [] : creation.problems.map(({ event, message }) => `${event}: ${message}`);
  };
  const longest = `a.${"b".repeat(62)}`;
  for (const name of ["Stock-Level.v2.changed", "a.b.c.d.e", "1._", longest])
    expect([name, problemsOf(name)]).toEqual([name, []]);
  for (const name of ["stock", "a.b.c.d.e.f", "a..b", ".a", "a.", "a.b c", "a.ä", "a.b\n", `${longest}b`])
    expect(problemsOf(name)).toEqual([expect.stringContaining("must have a name of 2 to 5 parts")]);
  expect(problemsOf("Order.Paid")[0]).toContain("differs from order.paid only in capitals");
  expect(problemsOf("visit.Paid", "visit.paid")).toHaveLength(2);
  expect(open({ "stock-level.Net_price.changed": expired }).types.at(-1)?.name).toBe(
    "Stock level Net price changed",
  );
});

it("a schema that throws refuses the data", () => {
  const throwing = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate(value: unknown) {
        if (JSON.stringify(value).includes("broken")) throw new Error("no such field");
        return { value };
      },
    },
  } as const;
  const events = open({ "visit.ended": { schema: throwing, sample: { id: "1" }, description: "Ended." } });
  expect(read(events, "visit.ended", { id: "broken" })).toMatchObject({
    problems: ["data: its schema threw an error: no such field"],
  });
});

it("a field whose name is a whole number is refused, because it would come before the id", () => {
  const schema = z.looseObject({ id: z.string() });
  const events = open({ "poll.ended": { schema, sample: { id: "1" }, description: "Ended." } });
  expect(read(events, "poll.ended", { id: "1", 17: "x" })).toMatchObject({
    problems: [expect.stringMatching(/^data\.17: is a field whose name is a whole number/)],
  });
});

it("events of the specification that are switched off are unknown, and their kinds and names stay", () => {
  const creation = createEventRegistry({ "order.shipped": shipped }, ["review.submitted"]);
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  const { registry } = creation;
  expect(registry.names).toEqual(["review.submitted", "order.shipped"]);
  expect(registry.kinds).toContain("orders");
  expect(["order.created", "order.shipped", "order.gone"].map(registry.kindOf)).toEqual([
    "orders",
    "orders",
    undefined,
  ]);
  expect(() => read(registry, "order.created", shipped.sample)).toThrow(/`order\.created` is switched off/u);
  expect(read(registry, "order.shipped", shipped.sample)).toMatchObject({ ok: true });
  const none = createEventRegistry({}, false);
  expect(none.ok && none.registry.names).toEqual([]);
  expect(createEventRegistry({ "order.paid": expired }, false)).toMatchObject({
    ok: false,
    problems: [{ event: "order.paid", message: expect.stringContaining("also while it is switched off") }],
  });
});
