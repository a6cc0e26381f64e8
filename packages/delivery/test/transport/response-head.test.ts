import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHeadReader } from "../../src/transport/response-head.ts";
import type { HeadReader, ParsedHead } from "../../src/transport/response-head.ts";

const section = (...lines: readonly string[]): string => `${lines.join("\r\n")}\r\n\r\n`;

/** What one busy receiver answers: mostly the same, now and then something that begins like it. */
const sections = [
  section("HTTP/1.1 200 OK", "content-type: text/plain; charset=utf-8", "content-length: 2"),
  section("HTTP/1.1 200 OK", "content-type: text/plain; charset=utf-8", "content-length: 20"),
  section("HTTP/1.1 200 OK", "content-type: text/plain; charset=utf-8"),
  section("HTTP/1.1 200 OK", "date: Sun, 22 Nov 2026 09:30:00 GMT", "content-length: 2"),
  section("HTTP/1.1 200 OK", "date: Sun, 22 Nov 2026 09:30:01 GMT", "content-length: 2"),
  section("HTTP/1.1 103 Early Hints", "link: </style.css>"),
  section("HTTP/1.0 500 Ä"),
  section("HTTP/1.1 200 OK", "<br />", "content-length: 2"),
  section("HTTP/1.1 200 OK", "x: y", " content-length: 2"),
  section("HTTP/1.1 200 OK", `x-long: ${"a".repeat(1_200)}`),
];

/** Reads one section that comes in pieces, and what behind it came with the last one. */
function readInPieces(
  reader: HeadReader,
  bytes: Buffer,
  pieces: readonly number[],
): { head: ParsedHead | undefined; behind: string } {
  let from = 0;
  for (const size of [...pieces, bytes.length]) {
    // In memory that is used again at once, as that of a socket is.
    const piece = bytes.subarray(from, from + size);
    // Behind it lies what was read before.
    const chunk = Buffer.concat([piece, Buffer.from("\r\nx-earlier: 1\r\n\r\n")]);
    const end = reader.read(chunk, 0, piece.length);
    const behind = chunk.toString("latin1", end, piece.length);
    chunk.fill(0);
    from += size;
    if (reader.head !== undefined) return { head: reader.head, behind };
  }
  return { head: undefined, behind: "" };
}

const answers = fc.array(
  fc.record({
    text: fc.constantFrom(...sections),
    body: fc.constantFrom("", "ok", "HTTP/1.1 200 OK"),
    pieces: fc.oneof(fc.constant<number[]>([]), fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 6 })),
  }),
  { maxLength: 12 },
);

describe("a reader of response heads", () => {
  it.each([
    ["a blank", " "],
    ["a tab", "\t"],
  ])("takes a line that begins with %s for more of the value before it", (_, blank) => {
    const reader = createHeadReader();
    const text = section("HTTP/1.1 200 OK", "x-note: one", `${blank} two `, `${blank}three`, "x-other: four");
    reader.read(Buffer.from(text), 0, text.length);
    expect(reader.head?.headers).toEqual(["x-note", "one two three", "x-other", "four"]);
  });

  it.each([
    ["the status line", " x-note: one", "x-other: two"],
    ["a line that was dropped", "<br />", " x-note: one", "x-other: two"],
  ])("drops such a line behind %s", (_, ...lines) => {
    const reader = createHeadReader();
    const text = section("HTTP/1.1 200 OK", ...lines);
    reader.read(Buffer.from(text), 0, text.length);
    expect(reader.head).toMatchObject({
      headers: ["x-other", "two"],
      ignoredLines: lines.length - 1,
      isWellFormed: false,
    });
  });

  it("reads each answer of a connection as a new reader would, however they come", () => {
    fc.assert(
      fc.property(answers, (all) => {
        const reader = createHeadReader();
        for (const { text, body, pieces } of all) {
          const bytes = Buffer.from(text + body, "latin1");
          reader.restart();
          expect(readInPieces(reader, bytes, pieces)).toEqual(
            readInPieces(createHeadReader(), bytes, pieces),
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  it("reads nothing of a section that came before, byte for byte", () => {
    const reader = createHeadReader();
    const [usual = "", other = ""] = sections;
    const headersOf = (text: string): unknown => {
      reader.restart();
      return readInPieces(reader, Buffer.from(text), []).head?.headers;
    };
    headersOf(usual);
    const again = headersOf(usual);
    expect(headersOf(usual)).toBe(again);
    expect(headersOf(other)).not.toEqual(again);
    expect(headersOf(usual)).toEqual(again);
    expect(headersOf(usual)).not.toBe(again);
  });
});
