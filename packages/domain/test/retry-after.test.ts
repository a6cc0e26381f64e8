import { expect, it } from "vitest";
import { parseRetryAfter } from "../src/index.ts";

const now = Date.parse("2026-11-20T09:30:00Z");

it.each([
  ["0", 0],
  ["120", 120_000],
  [" 7 ", 7_000],
  ["9".repeat(400), Number.MAX_SAFE_INTEGER],
  ["Fri, 20 Nov 2026 09:31:00 GMT", 60_000],
  ["Friday, 20-Nov-26 09:31:00 GMT", 60_000],
  ["Fri Nov 20 09:31:00 2026", 60_000],
  ["Fri, 20 Nov 2026 09:29:00 GMT", 0],
])("%j asks to wait %i ms", (text, expected) => {
  expect(parseRetryAfter(text, now)).toBe(expected);
});

it.each(["", "1.5", "-1", "soon", "soon 5", "1e3", "2026-11-20T09:31:00Z", "5, 10"])(
  "%j says nothing",
  (text) => {
    expect(parseRetryAfter(text, now)).toBeUndefined();
  },
);
