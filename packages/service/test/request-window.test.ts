import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addToWindow,
  parseWindow,
  renderWindow,
  usedInWindow,
  msUntilFree,
  windowMs,
} from "../src/limits/request-window.ts";

const limit = 5;

/** Sends requests with these pauses in milliseconds. Returns the times of the allowed requests. */
function sendWith(pauses: readonly number[]): { readonly allowedAt: number[]; readonly text: string } {
  let now = 1_790_000_000_000;
  let text = "";
  const allowedAt: number[] = [];
  for (const pause of pauses) {
    now += pause;
    const window = parseWindow(text, now);
    if (usedInWindow(window) >= limit) continue;
    text = renderWindow(addToWindow(window, now, 1));
    allowedAt.push(now);
  }
  return { allowedAt, text };
}

describe("the request window", () => {
  it("never allows more than the limit in any 60 seconds", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40_000 }), { maxLength: 60 }), (pauses) => {
        const { allowedAt } = sendWith(pauses);
        allowedAt.forEach((from, index) => {
          const inside = allowedAt.slice(index).filter((at) => at < from + windowMs);
          expect(inside.length).toBeLessThanOrEqual(limit);
        });
      }),
    );
  });

  it("is empty exactly 60 seconds after a burst", () => {
    const { allowedAt, text } = sendWith([0, 0, 0, 0, 0, 0]);
    const [at = 0] = allowedAt;
    expect(allowedAt).toHaveLength(limit);
    expect(usedInWindow(parseWindow(text, at + windowMs - 1))).toBe(limit);
    expect(usedInWindow(parseWindow(text, at + windowMs))).toBe(0);
    expect(msUntilFree(parseWindow(text, at), at, limit, 1)).toBe(windowMs);
  });

  it("never requires a wait longer than 60 seconds", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 40 }), (pauses) => {
        const { allowedAt, text } = sendWith(pauses);
        const now = allowedAt.at(-1) ?? 0;
        for (const wanted of [1, limit]) {
          expect(msUntilFree(parseWindow(text, now), now, limit, wanted)).toBeLessThanOrEqual(windowMs);
        }
      }),
    );
  });

  it("stays small with many requests", () => {
    const now = 1_790_000_000_000;
    let text = "";
    for (let at = now; at < now + windowMs; at += 10) {
      text = renderWindow(addToWindow(parseWindow(text, at), at, 1_000));
    }
    expect(text.length).toBeLessThan(2_500);
  });

  it("drops requests more than 60 seconds in the future, after the clock stepped back", () => {
    const now = 1_790_000_000_000;
    const text = renderWindow(addToWindow([], now, limit));
    expect(usedInWindow(parseWindow(text, now - windowMs + 1))).toBe(limit);
    expect(usedInWindow(parseWindow(text, now - windowMs))).toBe(0);
  });

  it("stays in order if the clock steps back", () => {
    const now = 1_790_000_000_000;
    const window = addToWindow(addToWindow([], now, 1), now - 10_000, 1);
    expect(window).toEqual([{ lastAt: now, count: 2 }]);
  });
});
