import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { decodeExcerpt } from "../../src/transport/excerpt.ts";

// About twenty bytes that take milliseconds, because they fill a window of 4 MB.
const costly = brotliCompressSync(Buffer.alloc(9_000_000), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
});

it.each([
  ["gzip", gzipSync("thanks")],
  ["deflate", deflateSync("thanks")],
])("a body in %s does not wait for bodies that need large windows", async (encoding, body) => {
  let decoded = 0;
  const hostile = Array.from({ length: 16 }, async () => {
    await decodeExcerpt(costly, "br");
    decoded += 1;
  });
  expect(await decodeExcerpt(body, encoding)).toEqual({ text: "thanks", isWhole: true });
  expect(decoded).toBeLessThan(8);
  await Promise.all(hostile);
  expect(decoded).toBe(16);
});

it("a character that the limit cuts in two is left out, and bytes that are not UTF-8 count as three", () => {
  expect(decodeExcerpt(Buffer.from(`x${"é".repeat(2_048)}`), undefined)).toEqual({
    text: `x${"é".repeat(2_047)}`,
    isWhole: true,
  });
  expect(decodeExcerpt(Buffer.alloc(4_096, 0xff), undefined)).toEqual({
    text: "\ufffd".repeat(1_365),
    isWhole: true,
  });
});
