import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accountInputSchema } from "../src/resources/account.ts";
import { withoutEmpty, withoutEmptyIn } from "../src/sent-empty.ts";

describe("withoutEmpty", () => {
  it("drops what was sent empty, whatever the field's type", () => {
    expect(withoutEmpty({ a: "", b: " \n\t", c: null, d: [], e: undefined, keep: "x" })).toStrictEqual({
      keep: "x",
    });
  });

  it("keeps everything else as it was sent", () => {
    const body = { zero: 0, no: false, text: " x ", list: [""], nested: { empty: "" } };
    expect(withoutEmpty(body)).toStrictEqual(body);
  });

  it("gives back anything but an object as it is", () => {
    for (const value of [null, undefined, "", 0, [], ["", null]]) expect(withoutEmpty(value)).toBe(value);
  });

  it("lets no field reach a prototype", () => {
    const result = withoutEmpty(JSON.parse('{"__proto__": {"admin": true}}'));
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.hasOwn(Object(result), "__proto__")).toBe(true);
  });
});

describe("withoutEmptyIn", () => {
  it("drops what was sent empty in an object inside, and keeps a null that is a value", () => {
    const plan = {
      name: " ",
      crm: null,
      integrations: "",
      monthly_new_subscribers: null,
      blog_posts_per_site: [],
    };
    expect(withoutEmptyIn(accountInputSchema, { name: "Ada", plan })).toStrictEqual({
      name: "Ada",
      plan: { monthly_new_subscribers: null },
    });
  });

  it("keeps fields that no schema knows, and what is no object, for the schema to judge", () => {
    for (const value of [{ plan: { other: "" }, unknown: "" }, { plan: "standard" }, [], "x"])
      expect(withoutEmptyIn(accountInputSchema, value)).toStrictEqual(value);
  });

  it("asks a field's schema once, not for each row of a long list", () => {
    let asked = 0;
    const sku = z
      .string()
      .nullish()
      .refine(() => (asked += 1) > 0);
    const rows = Array.from({ length: 1_000 }, () => ({ sku: "" }));
    expect(withoutEmptyIn(z.array(z.object({ sku })), rows)).toStrictEqual(rows.map(() => ({})));
    expect(asked).toBeLessThanOrEqual(2);
  });
});
