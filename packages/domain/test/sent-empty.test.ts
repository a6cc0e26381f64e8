import { describe, expect, it } from "vitest";
import { withoutEmpty } from "../src/sent-empty.ts";

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
