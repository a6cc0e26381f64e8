import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/test/support/any-character.ts";
import { customerOf } from "../src/events/customer-of.ts";
import { eventCatalogue, sampleDeliveryBody } from "../src/events/event-catalogue.ts";
import { bodyId, eventNames, isEventName } from "../src/events/event-names.ts";
import type { Field, Fields } from "../src/events/field.ts";
import { expectRecord, readRecord } from "../src/events/read-record.ts";
import { validateEvent } from "../src/events/read-event.ts";
import { hostEvents, siteTimeZone } from "./support/host-events.ts";

const now = Date.UTC(2026, 10, 27, 12);
const options = { now, timeZone: siteTimeZone, within: "data" };

describe("the event catalogue", () => {
  it("contains the seven events of the specification with six kinds of records", () => {
    expect(eventNames.map((event) => [event, eventCatalogue[event].kind])).toStrictEqual([
      ["order.created", "orders"],
      ["order.paid", "orders"],
      ["booking.created", "bookings"],
      ["rental.reserved", "rentals"],
      ["subscriber.created", "subscribers"],
      ["property_enquiry.created", "enquiries"],
      ["review.submitted", "reviews"],
    ]);
    expect(Object.keys(eventCatalogue)).toStrictEqual([...eventNames]);
  });

  it("contains no other names, also not those of an object's prototype", () => {
    for (const name of ["order.deleted", "", "constructor", "__proto__", "ORDER.CREATED"])
      expect(isEventName(name)).toBe(false);
  });

  it.each(eventNames)("%s has a sample that reads unchanged and matches its schema", (event) => {
    const { sampleData, dataSchema } = eventCatalogue[event];
    const { data, adjusted } = expectRecord(event, sampleData, options);
    expect(JSON.stringify(data)).toBe(JSON.stringify(sampleData));
    expect(adjusted).toStrictEqual([]);
    expect(dataSchema.parse(data)).toStrictEqual(data);
    expect(sampleDeliveryBody(event)).toMatchObject({
      id: bodyId(event, sampleData.id),
      event,
      data: sampleData,
    });
  });
});

describe("events of shops", () => {
  it("cover every event in more than sixty forms", () => {
    expect(new Set(hostEvents.map(({ event }) => event))).toStrictEqual(new Set(eventNames));
    expect(new Set(hostEvents.map(({ name }) => name)).size).toBeGreaterThan(60);
  });

  it.each(hostEvents.filter(({ refused }) => refused === undefined))(
    "are read: $name",
    ({ event, data, becomes, adjusted }) => {
      const reading = readRecord(event, data, options);
      if (!reading.ok) throw new Error(reading.problems.join("; "));
      const { record } = reading;
      expect(record.data).toMatchObject(becomes ?? {});
      if (adjusted !== undefined) expect(record.adjusted).toStrictEqual(adjusted);
      // The stored record matches the specification, and reads unchanged from then on.
      expect(eventCatalogue[event].dataSchema.parse(record.data)).toStrictEqual(record.data);
      expect(expectRecord(event, record.data, options)).toMatchObject({ data: record.data });
    },
  );

  it.each(hostEvents.filter(({ refused }) => refused !== undefined))(
    "are rejected: $name",
    ({ event, data, refused }) => {
      const reading = readRecord(event, data, options);
      expect(reading.ok ? "" : reading.problems.join("; ")).toBe(refused);
    },
  );

  it.each([
    ["text", "x"],
    ["a number", 1],
    ["null", null],
    ["a list", []],
  ])("are rejected: %s for a record", (_, data) => {
    expect(readRecord("order.paid", data, options)).toStrictEqual({
      ok: false,
      problems: ["data: must be an object"],
    });
  });
});

it("an id that has lost its digits before it reaches us is refused", () => {
  expect(readRecord("order.created", { id: 2 ** 60, total: 1 }, options)).toEqual({
    ok: false,
    problems: ["data.id: must be sent as text, because a number this large has lost digits"],
  });
});

/** Any JSON value except objects and lists, which cannot become text. */
const scalar = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const smallScalar = scalar.filter(
  (value) => !(typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)),
);
const id = fc.oneof(fc.stringMatching(/^[!-~]{1,128}$/u), fc.nat());
const amount = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer().map((cents) => (cents / 100).toFixed(2)),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.oneof(value, fc.constant(null));

/** Records of a table, each optional field sent, empty or omitted. */
function anyRecord(fields: Fields): fc.Arbitrary<object> {
  const entries = Object.entries(fields);
  const requiredKeys = entries.filter(([, { required }]) => required).map(([name]) => name);
  return fc.record(Object.fromEntries(entries.map(([name, field]) => [name, anyValue(name, field)])), {
    requiredKeys,
  });
}

function anyValue(name: string, { type, required, fields }: Field): fc.Arbitrary<unknown> {
  if (name === "id" && required) return id;
  if (fields !== undefined) {
    const inner = anyRecord(fields);
    return maybe(type === "object" ? inner : fc.array(inner, { maxLength: 4 }));
  }
  if (type.startsWith("number")) return required ? amount : maybe(amount);
  if (type === "integer") return maybe(fc.integer());
  if (type === "list of text") return maybe(fc.array(fc.string()));
  return type === "timestamp" ? fc.oneof(smallScalar, fc.date()) : smallScalar;
}

const anyOrder = anyRecord(eventCatalogue["order.created"].fields);

describe.each(eventNames)("every %s", (event) => {
  it("with an id and numeric amounts is accepted, and the stored record matches the specification", () => {
    fc.assert(
      fc.property(anyRecord(eventCatalogue[event].fields), (data) => {
        const reading = readRecord(event, data, options);
        if (!reading.ok) throw new Error(reading.problems.join("; "));
        const { record } = reading;
        expect(eventCatalogue[event].dataSchema.parse(record.data)).toStrictEqual(record.data);
        const stored: unknown = JSON.parse(JSON.stringify(record.data));
        expect(stored).toStrictEqual(record.data);
        expect(expectRecord(event, stored, options)).toMatchObject({ data: record.data });
      }),
      { numRuns: 300 },
    );
  });
});

describe("the adjusted paths", () => {
  it("name exactly the fields that were changed", () => {
    fc.assert(
      fc.property(anyOrder, (sent) => {
        const data = JSON.parse(JSON.stringify(sent));
        const { data: read, adjusted } = expectRecord("order.created", data, options);
        const changed = differences(data, read, "");
        const named = (path: string) => adjusted.some((each) => path === each || path.startsWith(`${each}.`));
        expect(changed.filter((path) => !named(path))).toStrictEqual([]);
        expect(
          adjusted.filter((each) => !changed.some((path) => path === each || path.startsWith(`${each}.`))),
        ).toStrictEqual([]);
      }),
    );
  });

  it("are limited to a thousand", () => {
    const data = { id: "ord_1", total: 1, items: Array.from({ length: 2_000 }, () => ({})) };
    expect(expectRecord("order.created", data, options).adjusted).toHaveLength(1_000);
  });
});

describe("the dropped paths", () => {
  const drop = (data: object) =>
    expectRecord("order.created", { id: "ord_1", total: 1, ...data }, options).dropped;

  it("name every field that was sent and is not part of the event", () => {
    const items = [{ name: "Loaf", sku2: "a" }, "Cake", { name: "Tea", price: 1, tax: null }];
    expect(
      drop({
        loyalty: 7,
        shipping_address: { street: "12 Byron Lane", zip: "SW1A 1AA", city: "London" },
        customer: "Ada",
        items,
        constructor: 1,
        left_out: undefined,
      }),
    ).toStrictEqual([
      "shipping_address.street",
      "shipping_address.zip",
      "items.0.sku2",
      "items.2.tax",
      "loyalty",
      "constructor",
    ]);
    expect(drop({ customer: { name: "Ada" } })).toStrictEqual([]);
  });

  it("are those of an object of a class, too", () => {
    class Address {
      readonly _city = "London";
      get city(): string {
        return this._city;
      }
    }
    expect(drop({ shipping_address: new Address() })).toStrictEqual(["shipping_address._city"]);
  });

  it("are limited in number and length", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => [`field_${index}`, 1]);
    expect(drop(Object.fromEntries(names))).toHaveLength(1_000);
    expect(drop({ ["\u{1F600}".repeat(10_000)]: 1 })).toStrictEqual([`${"\u{1F600}".repeat(100)}…`]);
    expect(drop({ ["a".repeat(199) + "\u{1F600}"]: 1 })).toStrictEqual([`${"a".repeat(199)}\uFFFD…`]);
  });
});

function differences(sent: unknown, read: unknown, path: string): string[] {
  if (typeof read === "object" && read !== null) {
    if (Array.isArray(read) && read.length === 0)
      return Array.isArray(sent) && sent.length === 0 ? [] : [path];
    return Object.entries(read).flatMap(([name, value]) => {
      const inner: unknown = typeof sent === "object" && sent !== null ? Reflect.get(sent, name) : undefined;
      return differences(inner, value, path === "" ? name : `${path}.${name}`);
    });
  }
  return Object.is(sent, read) ? [] : [path];
}

describe("a record that is read", () => {
  const order = () => structuredClone(eventCatalogue["order.created"].sampleData);

  it("has exactly the fields of its table, in order", () => {
    const shuffled = Object.fromEntries(Object.entries({ ...order(), extra: 1 }).toReversed());
    expect(JSON.stringify(expectRecord("order.created", shuffled, options).data)).toBe(
      JSON.stringify(order()),
    );
  });

  it("does not change its input", () => {
    const data = Object.freeze({ ...order(), total: "9.00", customer: Object.freeze({}) });
    expectRecord("order.created", data, options);
    expect(data).toStrictEqual({ ...order(), total: "9.00", customer: {} });
  });

  it("keeps the milliseconds of its time, which its text omits", () => {
    const { data, createdAt } = expectRecord(
      "order.paid",
      { ...order(), created_at: "2026-11-20T10:30:00.250+01:00" },
      options,
    );
    expect([data.created_at, createdAt]).toStrictEqual([
      "2026-11-20T09:30:00Z",
      Date.UTC(2026, 10, 20, 9, 30, 0, 250),
    ]);
  });

  it("reports whether the time zone was used", () => {
    const isLocal = (created_at: unknown) =>
      expectRecord("order.paid", { ...order(), created_at }, options).isLocalTime;
    expect(
      ["2026-11-20 09:30", "2026-11-20", "2026-11-20T09:30:00Z", 1_795_167_000, undefined].map(isLocal),
    ).toStrictEqual([true, true, false, false, false]);
  });

  it("accepts database rows whose fields are getters", () => {
    class Row {
      get id() {
        return 7n;
      }
      get total() {
        return "9.00";
      }
    }
    expect(expectRecord("order.paid", new Row(), options).data).toMatchObject({ id: "7", total: 9 });
  });

  it.each(["time", "date"])("is read fast with any number of blanks in its %s", (field) => {
    const blanks = " ".repeat(200_000);
    const { sampleData } = eventCatalogue["booking.created"];
    for (const text of [`9:30${blanks}x`, `2026-11-28 ${blanks}\nx`, `${blanks}9:30`]) {
      const started = process.cpuUsage();
      readRecord("booking.created", { ...sampleData, [field]: text }, options);
      // A pattern that backtracks would take a minute.
      expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
    }
  });

  it("counts numbers in its size", () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => 1e15 + index);
    const data = { ...eventCatalogue["subscriber.created"].sampleData, tags };
    expect(readRecord("subscriber.created", data, options)).toStrictEqual({
      ok: false,
      problems: ["data: must be at most 256 KiB as JSON"],
    });
  });

  it("is rejected at once if it has a million empty items", () => {
    const data = { id: "ord_1", total: 1, items: Array.from({ length: 1_000_000 }, () => ({})) };
    expect(readRecord("order.created", data, options)).toStrictEqual({
      ok: false,
      problems: ["data.items: must have at most 5243 entries"],
    });
  });
});

describe("the customer of a record", () => {
  it.each([
    "order.created",
    "order.paid",
    "booking.created",
    "rental.reserved",
    "property_enquiry.created",
  ] as const)("of %s becomes a contact, under the normalised address", (event) => {
    const { sampleData } = eventCatalogue[event];
    const customer = { name: "Ada", email: " Ada@Example.com", phone: null };
    expect(customerOf(eventCatalogue[event].kind, { ...sampleData, customer })).toStrictEqual({
      ...customer,
      email: "ada@example.com",
    });
  });

  it.each(["", "none", "a@b"])("with the address %j is not a contact", (email) => {
    const { sampleData } = eventCatalogue["order.created"];
    expect(
      customerOf(eventCatalogue["order.created"].kind, {
        ...sampleData,
        customer: { name: "Ada", email, phone: null },
      }),
    ).toBeUndefined();
  });

  it.each(["subscriber.created", "review.submitted"] as const)("of %s is not a contact", (event) => {
    expect(customerOf(eventCatalogue[event].kind, eventCatalogue[event].sampleData)).toBeUndefined();
  });
});

describe("validateEvent", () => {
  const data = { id: 17, total: "9.00" };

  it("returns the record that publish would store and the adjusted paths", () => {
    const valid = validateEvent(
      { event: "order.paid", project_id: "site_1", data, as_of: "2026-11-20" },
      { now },
    );
    expect(valid).toMatchObject({
      id: "order.paid_17",
      input: { event: "order.paid", project_id: "site_1", data, as_of: "2026-11-20" },
    });
    expect(valid.data.total).toBe(9);
    expect(valid.adjusted).toContain("total");
  });

  it.each([
    [{ event: "order.payed", project_id: "site_1", data }, { code: "unknown_event" }],
    [
      { event: "order.paid", data },
      { code: "validation_failed", message: "project_id: is required" },
    ],
    [
      { event: "order.paid", project_id: "site_1", data: { id: "x" } },
      { message: "data.total: is required" },
    ],
    [
      { event: "order.paid", project_id: "site_1", data, as_of: "soon" },
      { message: "as_of: must be a time, such as 2026-11-20T09:30:00Z" },
    ],
    ["order.paid", { message: "body: must be an object" }],
  ])("throws the errors of publish: %j", (input, error) => {
    expect(() => validateEvent(input, { now })).toThrow(expect.objectContaining(error));
  });
});
