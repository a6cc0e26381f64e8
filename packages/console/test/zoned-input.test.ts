import { describe, expect, it } from "vitest";
import { fromZonedInput, toZonedInput } from "../site/console/parts/zoned-input.ts";

describe("a time in a field", () => {
  it.each([
    ["UTC", "2026-07-01T12:00:00"],
    ["Europe/London", "2026-07-01T13:00:00"],
    ["Asia/Kathmandu", "2026-07-01T17:45:00"],
    ["America/St_Johns", "2026-07-01T09:30:00"],
  ])("is shown and read in %s", (timeZone, text) => {
    const at = "2026-07-01T12:00:00.000Z";
    expect(toZonedInput(Date.parse(at), timeZone)).toBe(text);
    expect(fromZonedInput(text, timeZone)).toBe(at);
  });

  it("is right on both sides of a change of the clocks", () => {
    for (const at of ["2026-03-29T00:59:59.000Z", "2026-03-29T01:00:00.000Z", "2026-10-25T02:30:00.000Z"])
      expect(fromZonedInput(toZonedInput(Date.parse(at), "Europe/London"), "Europe/London")).toBe(at);
    // The clocks skip it.
    expect(fromZonedInput("2026-03-29T01:30:00", "Europe/London")).toBe("2026-03-29T01:30:00.000Z");
  });

  it("may have a year that is being typed, and no seconds", () => {
    expect(fromZonedInput("0002-07-01T12:00", "UTC")).toBe("0002-07-01T12:00:00.000Z");
  });
});
