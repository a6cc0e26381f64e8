import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerValue, toHeaderRecord } from "../../src/transport/answer.ts";
import { createResponseParser } from "../../src/transport/response-parser.ts";
import type { ResponseParser } from "../../src/transport/response-parser.ts";

const bodyLimitBytes = 256;

/** Passes the bytes as a socket does: each read overwrites the beginning of the previous one. */
function pushInPieces(parser: ResponseParser, message: Buffer, pieces: readonly number[]) {
  const memory = Buffer.alloc(16_384, "0\r\n\r\n");
  let from = 0;
  for (const size of [...pieces, message.length]) {
    const length = message.copy(memory, 0, from, from + size);
    if (length > 0) parser.push(memory, length);
    from += length;
  }
  const { head, state, problem } = parser;
  return { head, state, problem, body: Buffer.from(parser.body()) };
}

const parse = (...lines: readonly string[]) =>
  pushInPieces(createResponseParser(), Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), []);

describe("a body", () => {
  /** One body in the three framings of RFC 9112 §6.3. */
  const framings = {
    length: (parts: readonly Buffer[]) => {
      const body = Buffer.concat(parts);
      return [Buffer.from(`content-length: ${body.length}\r\n\r\n`), body];
    },
    chunked: (parts: readonly Buffer[]) => [
      Buffer.from("transfer-encoding: chunked\r\n\r\n"),
      ...parts.flatMap((part) => [
        Buffer.from(`${part.length.toString(16)};a=b\r\n`),
        part,
        Buffer.from("\r\n"),
      ]),
      Buffer.from("0\r\nx-trailer: 1\r\n\r\n"),
    ],
    "until-close": (parts: readonly Buffer[]) => [Buffer.from("\r\n"), ...parts],
  } as const;
  const framingNames = ["length", "chunked", "until-close"] as const;

  /** Looks like framing, so that bytes of an earlier read look like a continuation. */
  const part = fc
    .array(fc.constantFrom("0", "5", "\r", "\n", "\r\n", "0\r\n\r\n", "a", "é"), {
      minLength: 1,
      maxLength: 40,
    })
    .map((words) => Buffer.from(words.join("")));

  it.each(framingNames)("framed by %s is read correctly, in whatever pieces it arrives", (name) => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 60 }),
        (parts, pieces) => {
          const message = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n"), ...framings[name](parts)]);
          const body = Buffer.concat(parts);
          const end = name === "until-close" ? "until-close" : "complete";
          const parsed = pushInPieces(createResponseParser({ bodyLimitBytes }), message, pieces);
          expect(parsed).toMatchObject({
            head: { status: 200 },
            state: body.length <= bodyLimitBytes ? end : "spent",
            body: body.subarray(0, bodyLimitBytes),
          });
        },
      ),
    );
  });
});

describe("a folded line", () => {
  it.each([
    ["the status line", " x-note: one", "x-other: two"],
    ["a line that was dropped", "<br />", " x-note: one", "x-other: two"],
  ])("after %s is dropped", (_, ...lines) => {
    const { head } = parse("HTTP/1.1 200 OK", ...lines);
    expect(head).toMatchObject({ headers: ["x-other", "two"], ignoredLines: lines.length - 1 });
  });
});

describe("the responses of one connection", () => {
  const section = (...lines: readonly string[]): string => `${lines.join("\r\n")}\r\n\r\n`;

  /** A busy receiver mostly repeats its head. Some heads have the same beginning. */
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
    "SSH-2.0-OpenSSH_9.9",
  ];

  const responses = fc.array(
    fc.record({
      head: fc.constantFrom(...sections),
      body: fc.constantFrom("", "ok", "HTTP/1.1 200 OK\r\n\r\n"),
      pieces: fc.oneof(
        fc.constant<number[]>([]),
        fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 6 }),
      ),
    }),
    { maxLength: 12 },
  );

  it("are each read as by a new parser", () => {
    fc.assert(
      fc.property(responses, (all) => {
        const parser = createResponseParser();
        for (const { head, body, pieces } of all) {
          const message = Buffer.from(head + body, "latin1");
          const expected = pushInPieces(createResponseParser(), message, pieces);
          parser.restart();
          expect(pushInPieces(parser, message, pieces)).toEqual(expected);
        }
      }),
      { numRuns: 500 },
    );
  });
});

const headers = ["vary", "accept", "x-one", "1", "vary", "cookie", "__proto__", "a name like any other"];

describe("the headers of a response", () => {
  it("are found by name, and repeated ones are joined", () => {
    expect(headerValue(headers, "x-one")).toBe("1");
    expect(headerValue(headers, "vary")).toBe("accept, cookie");
    expect(headerValue(headers, "accept")).toBeUndefined();
  });

  it("are converted to an object, whatever their names", () => {
    const record = toHeaderRecord(headers);
    expect(Object.entries(record)).toEqual([
      ["vary", "accept, cookie"],
      ["x-one", "1"],
      ["__proto__", "a name like any other"],
    ]);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});
