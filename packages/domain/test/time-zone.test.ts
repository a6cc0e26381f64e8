import { describe, expect, it } from "vitest";
import { calendarMonth, isTimeZone } from "../src/time-zone.ts";

describe("time zones", () => {
  it.each(["Europe/London", "America/Argentina/Buenos_Aires", "UTC", "Asia/Kolkata"])(
    "%s is valid",
    (name) => {
      expect(isTimeZone(name)).toBe(true);
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it("include every name of Intl", () => {
    expect(Intl.supportedValuesOf("timeZone").filter((name) => !isTimeZone(name))).toEqual([]);
  });

  it.each([
    "US/Pacific",
    "Asia/Calcutta",
    "Antarctica/McMurdo",
    "Etc/GMT+1",
    "EST",
    "EST5EDT",
    "GB-Eire",
    "Zulu",
  ])("the alias %s is valid", (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each([
    "PST",
    "CST",
    "IST",
    "JST",
    "SystemV/PST8",
    "est",
    "gmt",
    "asia/kolkata",
    "Us/pacific",
    "US/pacific",
  ])("%s is invalid, although Intl accepts it", (name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  it("stay invalid after a call of calendarMonth", () => {
    expect(calendarMonth(0, "asia/kolkata")).toBe("1970-01");
    expect(isTimeZone("asia/kolkata")).toBe(false);
  });

  it.each([
    "",
    "Mars/Olympus",
    "Europe/Olympus",
    "America/New_york",
    "+01:00",
    "europe/london",
    "Europe/London ",
    "x".repeat(1_000_000),
  ])("%.20s is invalid", (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

describe("the calendar month", () => {
  it("is that of the account's time zone", () => {
    const justAfterMidnightUtc = Date.UTC(2026, 11, 1, 0, 30);
    expect(calendarMonth(justAfterMidnightUtc, "UTC")).toBe("2026-12");
    expect(calendarMonth(justAfterMidnightUtc, "America/New_York")).toBe("2026-11");
    expect(calendarMonth(Date.UTC(2026, 11, 31, 23, 30), "Asia/Tokyo")).toBe("2027-01");
  });

  it("requires a valid time zone", () => {
    expect(() => calendarMonth(0, "Mars/Olympus")).toThrow(RangeError);
  });
});
