import { describe, expect, it } from "vitest";
import { calendarMonth, isTimeZone } from "../src/time-zone.ts";

describe("time zones", () => {
  it.each(["Europe/London", "America/Argentina/Buenos_Aires", "UTC", "Asia/Kolkata"])("%s is one", (name) => {
    expect(isTimeZone(name)).toBe(true);
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(["", "Mars/Olympus", "+01:00", "europe/london", "Europe/London ", "x".repeat(1_000_000)])(
    "%.20s is none",
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

describe("the calendar month", () => {
  it("is that of the account's clocks, not of UTC", () => {
    const justAfterMidnightUtc = Date.UTC(2026, 11, 1, 0, 30);
    expect(calendarMonth(justAfterMidnightUtc, "UTC")).toBe("2026-12");
    expect(calendarMonth(justAfterMidnightUtc, "America/New_York")).toBe("2026-11");
    expect(calendarMonth(Date.UTC(2026, 11, 31, 23, 30), "Asia/Tokyo")).toBe("2027-01");
  });

  it("of no time zone is refused", () => {
    expect(() => calendarMonth(0, "Mars/Olympus")).toThrow(RangeError);
  });
});
