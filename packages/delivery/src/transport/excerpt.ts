// A namespace import, because a Node without zstd must still load this file.
import * as zlib from "node:zlib";
import type { Transform } from "node:stream";

/** The most that is read of a body, measured after decompression (contract: Responses). The log keeps less: see `keepBody`. */
export const excerptLimitBytes = 4_096;

/** The start of a body as text. */
export interface Excerpt {
  readonly text: string;
  /** False when the decompressed body is longer. */
  readonly isWhole: boolean;
}

type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;
type Decompress = (body: Buffer) => Promise<Excerpt>;

const chunkSize = excerptLimitBytes;
// A zstd frame may demand a window of 128 MB for its first byte. RFC 8878 §3.1.1.1.2 recommends support for 8 MB.
const params = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };
/** 4 MB, the default of encoders. A window of 16 MB takes 40 ms to fill for forty bytes of a response. */
const longestBrotliWindow = 22;

const smallWindow = createLimiter(2);
// Brotli and zstd allocate megabytes. A hundred such bodies must not cost a hundred windows, or delay bodies in gzip.
const largeWindow = createLimiter(2);

const gzip: Decompress = (body) => smallWindow(() => decompress(body, zlib.createUnzip({ chunkSize })));
const codings = new Map<string, Decompress>([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["deflate", (body) => smallWindow(() => decompress(body, zlib.createInflate({ chunkSize })))],
  ["br", (body) => largeWindow(() => decompress(body, zlib.createBrotliDecompress({ chunkSize })))],
  ["zstd", (body) => largeWindow(() => decompress(body, zlib.createZstdDecompress({ chunkSize, params })))],
]);

/** Decodes the start of a body, at most 4 KiB of text. A body that cannot be decompressed is shown as it came. */
export function decodeExcerpt(body: Buffer, contentEncoding = ""): Excerpt | Promise<Excerpt> {
  const coding = body.length === 0 ? "" : contentEncoding.toLowerCase();
  const isTooCostly = coding === "br" && brotliWindowBits(body) > longestBrotliWindow;
  const run = isTooCostly ? undefined : codings.get(coding);
  const raw = { text: toText(body), isWhole: true };
  // A decompressor may not be available, or may get no memory.
  return run === undefined ? raw : run(body).catch(() => raw);
}

/** The size of the window, as a power of two, from the first bits of a Brotli stream (RFC 7932 §9.1). Short windows count as 16. */
function brotliWindowBits([first = 0]: Buffer): number {
  const bits = (first >> 1) & 0b111;
  return (first & 1) === 1 && bits !== 0 ? 17 + bits : 16;
}

/** Decompresses one small chunk at a time and stops at the limit, so a bomb costs 4 KiB and its window. */
function decompress(body: Buffer, stream: Transform): Promise<Excerpt> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const done = (): void => {
      stream.destroy();
      const text = toText(length === 0 ? body : Buffer.concat(parts));
      resolve({ text, isWhole: length <= excerptLimitBytes });
    };
    stream.on("data", (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length > excerptLimitBytes) done();
    });
    // A truncated body ends with an error, after everything before the cut was decompressed.
    stream.on("error", done);
    stream.on("end", done);
    stream.end(body);
  });
}

function toText(bytes: Buffer): string {
  // A byte that is not UTF-8 becomes a character of three bytes.
  if (bytes.length * 3 <= excerptLimitBytes) return bytes.toString();
  const text = decodeStart(bytes);
  return Buffer.byteLength(text) <= excerptLimitBytes ? text : decodeStart(Buffer.from(text));
}

/** Leaves out a character that the limit cuts in two. */
function decodeStart(bytes: Buffer): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, excerptLimitBytes), { stream: bytes.length >= excerptLimitBytes });
}

/** Runs work in the order in which it came, at most `maximum` pieces at once. */
function createLimiter(maximum: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < maximum) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
