import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createResponseParser } from "../../src/transport/response-parser.ts";

const bodyLimitBytes = 256;

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

type FramingName = keyof typeof framings;
const framingNames: readonly FramingName[] = ["length", "chunked", "until-close"];

/** Rich in what framing is made of, so that what is left of an earlier read looks like more of it. */
const part = fc
  .array(fc.constantFrom("0", "5", "\r", "\n", "\r\n", "0\r\n\r\n", "a", "é"), {
    minLength: 1,
    maxLength: 40,
  })
  .map((words) => Buffer.from(words.join("")));

/** Hands it over as a socket does: all reads into the same memory, each over the beginning of the one before. */
function readInPieces(message: Buffer, pieces: readonly number[]) {
  const parser = createResponseParser({ bodyLimitBytes });
  const memory = Buffer.alloc(16_384, "0\r\n\r\n");
  let from = 0;
  for (const size of [...pieces, message.length]) {
    const length = message.copy(memory, 0, from, from + size);
    if (length > 0) parser.push(memory, length);
    from += length;
  }
  return { status: parser.head?.status, state: parser.state, body: parser.body.copy() };
}

describe("a parser of responses", () => {
  it.each(framingNames)("reads a body framed by %s alike, whatever pieces it comes in", (name) => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 60 }),
        (parts, pieces) => {
          const message = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n"), ...framings[name](parts)]);
          const body = Buffer.concat(parts);
          const isKeptWhole = body.length <= bodyLimitBytes;
          const lasts = name === "until-close" ? "reading" : "complete";
          expect(readInPieces(message, pieces)).toEqual({
            status: 200,
            state: isKeptWhole ? lasts : "spent",
            body: body.subarray(0, bodyLimitBytes),
          });
        },
      ),
    );
  });
});
