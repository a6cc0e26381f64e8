import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accountInputSchema } from "../src/resources/account.ts";
import { withoutEmpty, withoutEmptyIn } from "../src/sent-empty.ts";

describe("withoutEmpty", () => {
  it("removes empty fields of any type", () => {
    expect(withoutEmpty({ a: "", b: " \n\t", c: null, d: [], e: undefined, keep: "x" })).toStrictEqual({
      keep: "x",
    });
  });

  it("keeps all other fields unchanged", () => {
    const body = { zero: 0, no: false, text: " x ", list: [""], nested: { empty: "" } };
    expect(withoutEmpty(body)).toStrictEqual(body);
  });

  it("returns anything but an object unchanged", () => {
    for (const value of [null, undefined, "", 0, [], ["", null]]) expect(withoutEmpty(value)).toBe(value);
  });

  it("does not let a field change a prototype", () => {
    const result = withoutEmpty(JSON.parse('{"__proto__": {"admin": true}}'));
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.hasOwn(Object(result), "__proto__")).toBe(true);
  });
});

describe("withoutEmptyIn", () => {
  it("removes empty fields of nested objects and keeps a meaningful null", () => {
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

  it("keeps unknown fields and values that are not objects", () => {
    for (const value of [{ plan: { other: "" }, unknown: "" }, { plan: "standard" }, [], "x"])
      expect(withoutEmptyIn(accountInputSchema, value)).toStrictEqual(value);
  });

  it("checks the schema of a field once for a long list", () => {
    let parses = 0;
    const sku = z
      .string()
      .nullish()
      .refine(() => (parses += 1) > 0);
    const rows = Array.from({ length: 1_000 }, () => ({ sku: "" }));
    expect(withoutEmptyIn(z.array(z.object({ sku })), rows)).toStrictEqual(rows.map(() => ({})));
    expect(parses).toBeLessThanOrEqual(2);
  });
});
