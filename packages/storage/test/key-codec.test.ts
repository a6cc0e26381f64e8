import { expect, it } from "vitest";
import { decodeKey, encodeKey } from "../src/keys/key-codec.ts";

it("a text that is no key of ours is refused, not read for ever", () => {
  const encoded = encodeKey(["p05", "a\0b"]);
  expect(decodeKey(encoded)).toEqual(["p05", "a\0b"]);
  for (const text of [encoded.slice(0, -1), "p05 written by hand"]) {
    expect(() => decodeKey(text)).toThrow(expect.objectContaining({ code: "corrupted" }));
  }
});
