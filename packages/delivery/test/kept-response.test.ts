import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepBody, keepHeaders } from "../src/rows/kept-response.ts";

const bytesOf = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const hasHalfPair = (text: string): boolean => !text.isWellFormed();

describe("of a response body", () => {
  it.each([0, 1, 682, 683, 2_047, 2_048])("%i bytes are kept as they are", (length) => {
    expect(keepBody("x".repeat(length))).toBe("x".repeat(length));
  });

  it("more than 2 KiB is cut and marked, and takes 2 KiB with its mark", () => {
    expect(keepBody("x".repeat(2_049))).toBe(`${"x".repeat(2_045)}…`);
  });

  it("no character is cut in two", () => {
    const text = fc.string({ unit: "binary", minLength: 600, maxLength: 3_000 });
    fc.assert(
      fc.property(text, (body) => {
        const kept = keepBody(body);
        expect(bytesOf(kept)).toBeLessThanOrEqual(2_048);
        expect(hasHalfPair(kept)).toBe(false);
        if (kept === body) return;
        expect(bytesOf(body)).toBeGreaterThan(2_048);
        expect(kept.endsWith("…")).toBe(true);
        expect(body.startsWith(kept.slice(0, -1))).toBe(true);
        expect(bytesOf(kept)).toBeGreaterThan(2_048 - 4);
      }),
    );
  });
});

describe("of response headers", () => {
  it("32 of 2 KiB together are kept as they are", () => {
    const headers = Array.from({ length: 32 }, (_, index) => [`x-${index + 10}`, "v".repeat(60)]).flat();
    expect(bytesOf(...headers)).toBe(2_048);
    expect(keepHeaders(headers)).toBe(headers);
  });

  it("more than 32 are counted in the place of the last one", () => {
    const headers = Array.from({ length: 40 }, (_, index) => [`x-${index}`, "v"]).flat();
    expect(keepHeaders(headers)).toEqual([...headers.slice(0, 62), "…", "9 more headers"]);
  });

  it("a long one is cut and leaves room for the others", () => {
    const headers = ["content-security-policy", "p".repeat(3_000), "retry-after", "30"];
    const kept = keepHeaders(headers);
    expect(kept).toEqual(["content-security-policy", `${"p".repeat(253)}…`, "retry-after", "30"]);
  });

  it("one that does not fit any more is counted", () => {
    const headers = Array.from({ length: 9 }, (_, index) => [`x-${index}`, "v".repeat(255)]).flat();
    expect(keepHeaders(headers)).toEqual([...headers.slice(0, 14), "…", "2 more headers"]);
    expect(keepHeaders(headers.slice(2)).slice(-2)).toEqual(["…", "1 more header"]);
  });

  it("never more than 32 and 2 KiB are kept, whatever comes", () => {
    const text = fc.string({ unit: "binary", maxLength: 1_500 });
    const list = fc.array(fc.tuple(text, text), { maxLength: 60 });
    fc.assert(
      fc.property(list, (pairs) => {
        const headers = pairs.flat();
        const kept = keepHeaders(headers);
        expect(kept.length).toBeLessThanOrEqual(64);
        expect(bytesOf(...kept)).toBeLessThanOrEqual(2_048);
        if (kept.length < headers.length) expect(kept.at(-2)).toBe("…");
      }),
    );
  });
});
