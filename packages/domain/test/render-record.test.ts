import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHookwrightError } from "../src/errors.ts";
import { customerOf } from "../src/events/customer-of.ts";
import { eventCatalogue, sampleDeliveryBody } from "../src/events/event-catalogue.ts";
import { bodyId, eventNames, isEventName } from "../src/events/event-names.ts";
import { findRecordProblems, renderRecord } from "../src/events/render-record.ts";

// Section 2 of the specification, field by field: what may be left out, and what it then becomes.
const tables = {
  "order.created": {
    fields:
      "id number status type customer currency subtotal shipping tip discount tax total payment_method shipping_method shipping_address coupon_code note scheduled_for items created_at",
    optional: { tip: null, discount: null, coupon_code: null, note: null, scheduled_for: null },
    nested: {
      customer: "name email phone",
      shipping_address: "line1 city postcode country",
      "items.0": "name sku quantity price total",
    },
  },
  "booking.created": {
    fields:
      "id service date time status customer amount_due currency payment_status address notes created_at",
    optional: { address: null, notes: null },
    nested: { customer: "name email phone" },
  },
  "rental.reserved": {
    fields:
      "id reference item status customer pickup return days total deposit currency payment_status notes created_at",
    optional: { notes: null },
    nested: { customer: "name email phone", pickup: "date time location", return: "date time location" },
  },
  "subscriber.created": {
    fields: "id email name status tags created_at",
    optional: { name: "", tags: [] },
    nested: {},
  },
  "property_enquiry.created": {
    fields: "id type status customer message listing created_at",
    optional: {},
    nested: { customer: "name email phone", listing: "id title" },
  },
  "review.submitted": {
    fields: "id rating title content status verified_purchase customer product created_at",
    optional: {},
    nested: { customer: "name email", product: "id name" },
  },
} as const;

type TableName = keyof typeof tables;
const tableNames = Object.keys(tables) as TableName[];

const nullable = new Set(["phone", "sku"]);

function sampleOf(event: TableName): Record<string, unknown> {
  return structuredClone({ ...eventCatalogue[event].sampleData });
}

function at(value: unknown, path: string): Record<string, unknown> {
  let found = value;
  for (const part of path.split(".")) found = (found as Record<string, unknown>)[part];
  return found as Record<string, unknown>;
}

function problemOf(event: TableName, data: unknown): string {
  try {
    renderRecord(event, data);
  } catch (error) {
    if (isHookwrightError(error) && error.code === "validation_failed") return error.message;
    throw error;
  }
  return "";
}

describe("the event catalogue", () => {
  it("holds the seven events of the specification", () => {
    expect(eventNames).toStrictEqual([
      "order.created",
      "order.paid",
      "booking.created",
      "rental.reserved",
      "subscriber.created",
      "property_enquiry.created",
      "review.submitted",
    ]);
    expect(Object.keys(eventCatalogue)).toStrictEqual([...eventNames]);
  });

  it("sorts them into six kinds of records", () => {
    expect(eventNames.map((event) => eventCatalogue[event].kind)).toStrictEqual([
      "orders",
      "orders",
      "bookings",
      "rentals",
      "subscribers",
      "enquiries",
      "reviews",
    ]);
  });

  it("knows no other names, those of an object's prototype included", () => {
    for (const name of ["order.deleted", "", "constructor", "__proto__", "ORDER.CREATED"]) {
      expect(isEventName(name)).toBe(false);
    }
  });

  it.each(eventNames)("%s has a sample that renders to itself", (event) => {
    const { sampleData } = eventCatalogue[event];
    expect(JSON.stringify(renderRecord(event, sampleData))).toBe(JSON.stringify(sampleData));
    expect(sampleDeliveryBody(event)).toMatchObject({
      id: bodyId(event, sampleData.id),
      event,
      data: sampleData,
    });
  });
});

describe.each(tableNames)("a record of %s", (event) => {
  const { fields, optional, nested } = tables[event];

  it("shows every field of its table, in the table's order, and no other", () => {
    const shuffled = Object.fromEntries(Object.entries({ ...sampleOf(event), extra: 1 }).toReversed());
    const record = renderRecord(event, shuffled);
    expect(Object.keys(record).join(" ")).toBe(fields);
    for (const [path, names] of Object.entries(nested))
      expect(Object.keys(at(record, path)).join(" ")).toBe(names);
  });

  it("names each required field that is left out, or null", () => {
    for (const field of fields.split(" ").filter((name) => !(name in optional))) {
      const { [field]: _, ...rest } = sampleOf(event);
      expect(problemOf(event, rest)).toBe(`${field}: is required`);
      expect(problemOf(event, { ...sampleOf(event), [field]: null })).toMatch(
        new RegExp(`^${field}: must be `),
      );
    }
  });

  it("fills in each field that may be left out", () => {
    for (const [field, value] of Object.entries(optional)) {
      const { [field]: _, ...rest } = sampleOf(event);
      expect(at({ record: renderRecord(event, rest) }, "record")[field]).toStrictEqual(value);
    }
  });

  const inner = Object.entries(nested).flatMap(([path, names]) =>
    names.split(" ").map((field) => ({ path, field })),
  );

  it("names the required fields inside its objects", () => {
    for (const { path, field } of inner.filter((each) => !nullable.has(each.field))) {
      const data = sampleOf(event);
      Reflect.deleteProperty(at(data, path), field);
      expect(problemOf(event, data)).toBe(`${path}.${field}: is required`);
    }
  });

  it("fills in what may be left out inside its objects", () => {
    for (const { path, field } of inner.filter((each) => nullable.has(each.field))) {
      const data = sampleOf(event);
      Reflect.deleteProperty(at(data, path), field);
      expect(at(renderRecord(event, data), path)[field]).toBeNull();
    }
  });

  it.each([
    ["empty text", ""],
    ["white space", " \n"],
    ["an empty list", []],
    ["null", null],
  ])("takes %s for a field that is left out, where it may be null", (_, empty) => {
    for (const [field] of Object.entries(optional).filter(([, value]) => value === null)) {
      expect(
        at({ record: renderRecord(event, { ...sampleOf(event), [field]: empty }) }, "record")[field],
      ).toBeNull();
    }
    for (const { path, field } of inner.filter((each) => nullable.has(each.field))) {
      const data = sampleOf(event);
      at(data, path)[field] = empty;
      expect(at(renderRecord(event, data), path)[field]).toBeNull();
    }
  });

  it("takes no field of another type", () => {
    for (const field of fields.split(" ")) {
      const wrong = typeof sampleOf(event)[field] === "number" ? "1" : 1;
      const type = /: must be (text|a number|an integer|true or false|a list|an object)$/;
      expect(problemOf(event, { ...sampleOf(event), [field]: wrong })).toMatch(type);
    }
  });

  it("must be an object", () => {
    for (const data of ["x", 1, null, []]) expect(problemOf(event, data)).toBe("data: must be an object");
  });

  it("does not change what it was given", () => {
    const data = Object.freeze(sampleOf(event));
    renderRecord(event, data);
    expect(data).toStrictEqual(sampleOf(event));
  });
});

describe("a rendered record", () => {
  const order = () => sampleOf("order.created");

  it("has its time in the wire form", () => {
    const record = renderRecord("order.paid", { ...order(), created_at: "2026-11-20T10:30:00.250+01:00" });
    expect(record.created_at).toBe("2026-11-20T09:30:00Z");
  });

  it.each(["", " \t", null, [], undefined])("has no name where %j is sent", (name) => {
    const { name: _, ...nameless } = eventCatalogue["subscriber.created"].sampleData;
    expect(renderRecord("subscriber.created", { ...nameless, name })).toMatchObject({ name: "" });
  });

  it("has tags that are trimmed, none blank and none twice, case kept", () => {
    const { sampleData } = eventCatalogue["subscriber.created"];
    const tags = [" vip ", "", "VIP", "  ", "vip", "new"];
    expect(renderRecord("subscriber.created", { ...sampleData, tags }).tags).toStrictEqual([
      "vip",
      "VIP",
      "new",
    ]);
  });

  it("has no binary noise in its amounts", () => {
    const record = renderRecord("order.created", {
      ...order(),
      total: 0.1 + 0.2,
      tip: -0,
      items: [{ name: "a", quantity: 3, price: 1.1, total: 1.1 * 3 }],
    });
    expect(record).toMatchObject({ total: 0.3, items: [{ price: 1.1, total: 3.3 }] });
    expect(Object.is(record.tip, 0)).toBe(true);
  });

  it("has amounts that fit its currency, each named where they do not", () => {
    expect(problemOf("order.created", { ...order(), total: 1.234, tip: 0.001 })).toBe(
      "tip: must have at most 2 decimals; total: must have at most 2 decimals",
    );
    expect(
      problemOf("order.created", { ...order(), items: [{ name: "a", quantity: 1, price: 1, total: 1.005 }] }),
    ).toBe("items.0.total: must have at most 2 decimals");
    expect(
      problemOf("booking.created", { ...sampleOf("booking.created"), currency: "JPY", amount_due: 3.5 }),
    ).toBe("amount_due: must have no decimals in JPY");
    expect(
      problemOf("rental.reserved", { ...sampleOf("rental.reserved"), total: 1e15, deposit: 0.125 }),
    ).toBe("total: must be a smaller amount; deposit: must have at most 2 decimals");
    expect(
      renderRecord("rental.reserved", { ...sampleOf("rental.reserved"), currency: "KWD", total: 0.125 })
        .total,
    ).toBe(0.125);
  });

  it("has its amounts judged even when other fields are wrong", () => {
    expect(problemOf("order.created", { ...order(), number: "", total: 1.234, tip: "2" })).toBe(
      "number: must not be blank; tip: must be a number; total: must have at most 2 decimals",
    );
    expect(
      problemOf("order.created", { currency: "EUR", total: 1.234, items: [null, { price: 0.001 }, 7] }),
    ).toContain("items.1.price: must have at most 2 decimals");
  });

  it("has its fields named below the one that holds it, where there is one", () => {
    const within = "data";
    const wrong = { ...order(), number: "", total: 1.234 };
    expect(findRecordProblems("order.created", wrong, { within })).toStrictEqual({
      ok: false,
      problems: ["data.number: must not be blank", "data.total: must have at most 2 decimals"],
    });
    expect(findRecordProblems("order.created", { ...order(), tip: 0.001 }, { within })).toStrictEqual({
      ok: false,
      problems: ["data.tip: must have at most 2 decimals"],
    });
    expect(findRecordProblems("order.created", 7, { within })).toStrictEqual({
      ok: false,
      problems: ["data: must be an object"],
    });
  });

  it("leaves the sets of the specification open", () => {
    const open = { status: "refunded", type: "pick-up", payment_method: "barter" };
    expect(renderRecord("order.created", { ...order(), ...open })).toMatchObject(open);
    expect(problemOf("order.created", { ...order(), status: " ", type: "x".repeat(65) })).toBe(
      "status: must not be blank; type: must be at most 64 characters long",
    );
  });

  it("takes free text that is empty, since the table says text and not more", () => {
    const empty = {
      shipping_method: "",
      shipping_address: { line1: "", city: "", postcode: "", country: "" },
    };
    expect(renderRecord("order.created", { ...order(), ...empty })).toMatchObject(empty);
  });

  it.each(["a b", "", "x".repeat(129), "ü", ".", ".."])("never has the id %j", (id) => {
    expect(problemOf("order.created", { ...order(), id })).toMatch(/^id: must be 1 to 128 characters/);
  });

  it("never holds a lone surrogate", () => {
    expect(problemOf("order.created", { ...order(), note: "\udc00" })).toBe("note: must be well-formed text");
  });

  it("renders to itself", () => {
    const cents = fc.integer({ min: -1e9, max: 1e9 }).map((minor) => minor / 100);
    fc.assert(
      fc.property(cents, cents, fc.string({ unit: "grapheme", maxLength: 50 }), (total, price, note) => {
        const items = [{ name: note, quantity: 1, price, total: price }];
        const once = renderRecord("order.created", { ...order(), total, note, items });
        expect(JSON.stringify(renderRecord("order.created", JSON.parse(JSON.stringify(once))))).toBe(
          JSON.stringify(once),
        );
      }),
    );
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
    expect(customerOf(event, { ...sampleData, customer })).toStrictEqual({
      ...customer,
      email: "ada@example.com",
    });
  });

  it.each(["subscriber.created", "review.submitted"] as const)("of %s does not", (event) => {
    expect(customerOf(event, eventCatalogue[event].sampleData)).toBeUndefined();
  });
});
