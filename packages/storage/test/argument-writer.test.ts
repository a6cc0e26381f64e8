import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeKey } from "../src/keys/key-codec.ts";
import type { Key } from "../src/port.ts";
import { createArgumentWriter } from "../src/redis/argument-writer.ts";
import type { ArgumentWriter } from "../src/redis/argument-writer.ts";

/** Parses RESP as Redis does. */
function parse(bytes: Buffer): string[] {
  let at = 0;
  const readLine = (type: string): number => {
    const end = bytes.indexOf("\r\n", at);
    const line = bytes.toString("latin1", at, end);
    expect(line).toMatch(/^[*$](0|[1-9]\d*)$/u);
    expect(line[0]).toBe(type);
    at = end + 2;
    return Number(line.slice(1));
  };
  const texts = Array.from({ length: readLine("*") }, () => {
    const length = readLine("$");
    const text = bytes.toString("utf8", at, at + length);
    at += length;
    expect(bytes.toString("latin1", at, at + 2)).toBe("\r\n");
    at += 2;
    return text;
  });
  expect(at).toBe(bytes.length);
  return texts;
}

function written(writer: ArgumentWriter, name = "ping"): string[] {
  const rest = writer.arguments();
  return parse(rest.withHead(`*${1 + rest.count}\r\n$${Buffer.byteLength(name)}\r\n${name}\r\n`)).slice(1);
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc
    .constantFrom(8, 9, 10, 31, 32, 33, 98, 99, 100, 101, 998, 999, 1_000)
    .chain((length) =>
      fc.constantFrom("x", "é", "\u{1f600}", "\0").map((character) => character.repeat(length)),
    ),
);
const part = fc.oneof(
  fc.maxSafeInteger(),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.nat({ max: 90 }).map((length) => "k".repeat(length)),
);
const key = fc
  .tuple(fc.constantFrom("p00", "p63"), fc.array(part, { maxLength: 8 }))
  .map(([partition, parts]): Key => [partition, ...parts]);

describe("the argument writer", () => {
  it("encodes texts and keys of any length", () => {
    const writer = createArgumentWriter();
    fc.assert(
      fc.property(fc.array(fc.oneof(text, key), { maxLength: 60 }), (values) => {
        writer.clear();
        for (const value of values) {
          if (typeof value === "string") writer.text(value);
          else writer.key(value);
        }
        expect(written(writer)).toEqual(
          values.map((value) => (typeof value === "string" ? value : encodeKey(value))),
        );
      }),
    );
  });

  it("supports a head that is longer than the reserved space", () => {
    const writer = createArgumentWriter();
    writer.text("one");
    writer.text("two");
    for (const name of ["x".repeat(3_000), "short", "x".repeat(1_000)])
      expect(written(writer, name)).toEqual(["one", "two"]);
  });

  it("keeps earlier arguments when it is rewound", () => {
    const writer = createArgumentWriter();
    writer.text("kept");
    const mark = writer.mark();
    writer.text("é".repeat(200_000));
    writer.rewind(mark);
    writer.text("after");
    expect(written(writer)).toEqual(["kept", "after"]);
  });

  it("fills in numbers after its buffer has grown", () => {
    const writer = createArgumentWriter();
    const fillIn = writer.numbers(3);
    writer.text("x".repeat(500_000));
    fillIn([0, 1, 2 ** 32 - 1]);
    expect(written(writer)[0]).toBe(Buffer.from("0000000000000001ffffffff", "hex").toString());
    expect(writer.byteLength()).toBe(writer.arguments().byteLength);
  });
});
