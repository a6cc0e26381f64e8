// An old Node does not export all of these. A named import would be a SyntaxError there, before anything can say so.
import * as zlib from "node:zlib";
import type { Transform } from "node:stream";
import { createFewAtOnce } from "./few-at-once.ts";

/** At most so much of a body is read, measured after decompression (contract §5). The log keeps less: see `kept-response.ts`. */
export const excerptLimitBytes = 4_096;

export interface Excerpt {
  readonly text: string;
  /** False when the answer goes on behind the excerpt. */
  readonly whole: boolean;
}

/** Inflates the start of a body of one content coding. */
export type InflateExcerpt = (body: Buffer) => Promise<Excerpt>;

// A zstd frame may ask for a window of 128 MB before it gives one byte; RFC 8878 §3.1.1.1.2 expects 8 MB.
const zstdParameters = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

/** 4 MB, and what encoders take unless they are told otherwise. The longest, 16 MB, cost 40 ms to fill for forty bytes of an answer. */
const longestBrotliWindow = 22;

const inflaters = new Map<string, InflateExcerpt>([
  ["gzip", (body) => quickly(() => inflate(body, zlib.createUnzip({ chunkSize: excerptLimitBytes })))],
  ["x-gzip", (body) => quickly(() => inflate(body, zlib.createUnzip({ chunkSize: excerptLimitBytes })))],
  ["deflate", (body) => quickly(() => inflate(body, zlib.createInflate({ chunkSize: excerptLimitBytes })))],
  [
    "br",
    async (body) =>
      brotliWindowBits(body) > longestBrotliWindow
        ? { text: toExcerpt(body), whole: true }
        : slowly(() => inflate(body, zlib.createBrotliDecompress({ chunkSize: excerptLimitBytes }))),
  ],
  [
    "zstd",
    (body) =>
      slowly(() =>
        inflate(body, zlib.createZstdDecompress({ chunkSize: excerptLimitBytes, params: zstdParameters })),
      ),
  ],
]);

/**
 * Brotli fills its whole window, of up to 4 MB, before it gives one byte, and zstd asks for its own. A hundred such answers at once
 * must not cost a hundred windows, nor all the threads that files are written with.
 */
const slowly = createFewAtOnce(2);
/** With windows of 32 KB an answer is inflated in a tenth of a millisecond: it need not wait for hundreds of theirs, at ten each. */
const quickly = createFewAtOnce(2);

/** The size of its window, as a power of two: what the first bits of a Brotli stream tell (RFC 7932 §9.1), where it is one of the longer. */
function brotliWindowBits([first = 0]: Buffer): number {
  const bits = (first >> 1) & 0b111;
  return (first & 1) === 1 && bits !== 0 ? 17 + bits : 16;
}

/** Undefined for bodies that are text as they are: those are never waited for. */
export function findInflater(contentEncoding: string | undefined): InflateExcerpt | undefined {
  return contentEncoding === undefined ? undefined : inflaters.get(contentEncoding.toLowerCase());
}

/** The start of a body as text, at most 4 KiB of UTF-8. */
export function toExcerpt(bytes: Buffer, start = 0, end = bytes.length): string {
  // Each byte that is no UTF-8 becomes a mark of three: 4 KiB of noise would be 12 KiB of text.
  if ((end - start) * 3 <= excerptLimitBytes) return bytes.toString("utf8", start, end);
  const text = decodeStart(bytes.subarray(start, end));
  return Buffer.byteLength(text) <= excerptLimitBytes ? text : decodeStart(Buffer.from(text));
}

/** A character that the limit cuts in two is left out. */
function decodeStart(bytes: Buffer): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, excerptLimitBytes), { stream: bytes.length >= excerptLimitBytes });
}

/**
 * A compressed body is inflated one small chunk at a time and dropped at the limit: a bomb costs 4 KiB and its window, whatever
 * it says it holds. Bytes that are not what the header said are shown as they came.
 */
function inflate(body: Buffer, stream: Transform): Promise<Excerpt> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const done = (): void => {
      stream.destroy();
      resolve({
        text: toExcerpt(length === 0 ? body : Buffer.concat(parts)),
        whole: length <= excerptLimitBytes,
      });
    };
    stream.on("data", (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length > excerptLimitBytes) done();
    });
    // A cut-off body ends in an error after everything before the cut has been inflated.
    stream.on("error", done);
    stream.on("end", done);
    stream.end(body);
  });
}
