import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { findInflater } from "../../src/transport/decode-excerpt.ts";

it.each([
  ["gzip", gzipSync("thanks")],
  ["deflate", deflateSync("thanks")],
])("an answer in %s does not wait for those that ask for large windows", async (encoding, body) => {
  // Twenty-odd bytes, and milliseconds to fill 4 MB.
  const costly = brotliCompressSync(Buffer.alloc(9_000_000));
  let inflated = 0;
  const hostile = Array.from({ length: 32 }, async () => {
    await findInflater("br")?.(costly);
    inflated += 1;
  });
  expect(await findInflater(encoding)?.(body)).toEqual({ text: "thanks", whole: true });
  expect(inflated).toBeLessThan(16);
  await Promise.all(hostile);
});
