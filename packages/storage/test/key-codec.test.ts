import { expect, it, onTestFinished, vi } from "vitest";
import { decodeKey, encodeKey } from "../src/keys/key-codec.ts";

it("an invalid encoded key is rejected", () => {
  const encoded = encodeKey(["p05", "a\0b"]);
  expect(decodeKey(encoded)).toEqual(["p05", "a\0b"]);
  for (const text of [encoded.slice(0, -1), "p05 written by hand"]) {
    expect(() => decodeKey(text)).toThrow(expect.objectContaining({ code: "corrupted" }));
  }
});

it("a key has the same encoding without Buffer", async () => {
  const key = ["p05", "a\0b", "é", "", -1] as const;
  const encoded = encodeKey(key);
  vi.stubGlobal("Buffer", undefined);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  vi.resetModules();
  const elsewhere = await import("../src/keys/key-codec.ts");
  const again = elsewhere.encodeKey(key);
  const decoded = elsewhere.decodeKey(again);
  vi.unstubAllGlobals();
  expect(again).toBe(encoded);
  expect(decoded).toEqual(key);
});
