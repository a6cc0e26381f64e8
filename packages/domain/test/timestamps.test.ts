import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTimestamp, timestampSchema, toTimestamp } from "../src/timestamps.ts";

describe("toTimestamp", () => {
  it("omits fractions of a second, also before 1970", () => {
    expect(toTimestamp(1_763_630_123_999)).toBe("2025-11-20T09:15:23Z");
    expect(toTimestamp(-1)).toBe("1969-12-31T23:59:59Z");
  });

  it("rejects a year outside 0000 to 9999", () => {
    expect(() => toTimestamp(253_402_300_800_000)).toThrow(RangeError);
    expect(() => toTimestamp(-62_167_219_200_001)).toThrow(RangeError);
    expect(() => toTimestamp(Number.NaN)).toThrow(RangeError);
  });
});

describe("parseTimestamp", () => {
  it("parses every second that toTimestamp formats", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }), (seconds) => {
        const wire = toTimestamp(seconds * 1_000);
        expect(parseTimestamp(wire)).toBe(seconds * 1_000);
        expect(timestampSchema.parse(wire)).toBe(wire);
      }),
    );
  });

  it.each([
    ["2026-11-20T10:30:00+01:00", "2026-11-20T09:30:00Z"],
    ["2026-11-20T10:30:00+0100", "2026-11-20T09:30:00Z"],
    ["2026-11-20T10:30:00+01", "2026-11-20T09:30:00Z"],
    ["2026-11-20T04:00:00-05:30", "2026-11-20T09:30:00Z"],
    ["2026-11-20T09:30Z", "2026-11-20T09:30:00Z"],
    ["2026-11-20t09:30:00z", "2026-11-20T09:30:00Z"],
    ["2026-11-20T09:30:00.999999Z", "2026-11-20T09:30:00Z"],
    ["2026-11-20T09:30:00,5Z", "2026-11-20T09:30:00Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["2026-01-31T23:59:59Z", "2026-01-31T23:59:59Z"],
    ["2026-01-31T23:59:59.5Z", "2026-01-31T23:59:59Z"],
    ["2026-11-20T09:30:00+23:59", "2026-11-19T09:31:00Z"],
    ["0099-03-01T00:00:00Z", "0099-03-01T00:00:00Z"],
    ["0100-01-01T00:00:00Z", "0100-01-01T00:00:00Z"],
    ["0000-01-01T00:00:00+00:00", "0000-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59Z"],
  ])("reads %s as %s", (text, wire) => {
    expect(toTimestamp(parseTimestamp(text))).toBe(wire);
    expect(timestampSchema.parse(text)).toBe(wire);
  });

  it("keeps milliseconds", () => {
    expect(parseTimestamp("1970-01-01T00:00:01.25Z")).toBe(1_250);
  });

  it.each([
    "2026-11-20",
    "2026-11-20T09:30:00",
    "2026-11-20 09:30:00Z",
    "2026-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-11-00T00:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T23:60:00Z",
    "2026-11-20T23:59:60Z",
    "2026-11-20T09:30:00+24:00",
    "2026-11-20T09:30:00+01:60",
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    " 2026-11-20T09:30:00Z",
    "2026-11-20T09:30:00Z\n",
    "Fri, 20 Nov 2026 09:30:00 GMT",
    "1763630000",
    "",
  ])("rejects %j", (text) => {
    expect(() => parseTimestamp(text)).toThrow(expect.objectContaining({ code: "validation_failed" }));
    expect(timestampSchema.safeParse(text).success).toBe(false);
  });
});
