import { describe, expect, it } from "vitest";
import { headerValue, toHeaderRecord } from "../../src/transport/header-list.ts";

const headers = ["vary", "accept", "x-one", "1", "vary", "cookie", "__proto__", "a name like any other"];

describe("the headers of an answer", () => {
  it("are found by name, repeated ones joined", () => {
    expect(headerValue(headers, "x-one")).toBe("1");
    expect(headerValue(headers, "vary")).toBe("accept, cookie");
    expect(headerValue(headers, "accept")).toBeUndefined();
  });

  it("are an object for whoever reads the log, whatever their names", () => {
    const record = toHeaderRecord(headers);
    expect(Object.entries(record)).toEqual([
      ["vary", "accept, cookie"],
      ["x-one", "1"],
      ["__proto__", "a name like any other"],
    ]);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});
