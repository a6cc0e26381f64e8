import { constants, createBrotliDecompress, createInflate, createUnzip, createZstdDecompress } from "node:zlib";
import type { Transform } from "node:stream";

/** At most so much of an answer is kept, measured after decompression (contract §5). */
export const excerptLimitBytes = 4_096;

// A zstd frame may ask for a window of 128 MB before it gives one byte; RFC 8878 §3.1.1.1.2 expects 8 MB.
const zstdParameters = { [constants.ZSTD_d_windowLogMax]: 23 };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createUnzip({ chunkSize: excerptLimitBytes }),
  "x-gzip": () => createUnzip({ chunkSize: excerptLimitBytes }),
  deflate: () => createInflate({ chunkSize: excerptLimitBytes }),
  br: () => createBrotliDecompress({ chunkSize: excerptLimitBytes }),
  zstd: () => createZstdDecompress({ chunkSize: excerptLimitBytes, params: zstdParameters }),
};

/**
 * The start of an answer as text. A compressed one is inflated one small chunk at a time and dropped at the
 * limit: a bomb costs 4 KiB, whatever it says it holds.
 */
export async function decodeExcerpt(body: Uint8Array, contentEncoding: string | undefined): Promise<string> {
  const decoder = contentEncoding === undefined ? undefined : decoders[contentEncoding.trim().toLowerCase()];
  if (decoder === undefined || body.length === 0) return toText(body);
  return toText((await inflateStart(body, decoder())) ?? body);
}

/** Undefined when the bytes are not what the header said: the excerpt then shows them as they came. */
function inflateStart(body: Uint8Array, stream: Transform): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    let length = 0;
    const done = (): void => {
      stream.destroy();
      resolve(length === 0 ? undefined : Buffer.concat(parts).subarray(0, excerptLimitBytes));
    };
    stream.on("data", (part: Uint8Array) => {
      parts.push(part);
      length += part.length;
      if (length >= excerptLimitBytes) done();
    });
    // A cut-off body ends in an error after everything before the cut has been inflated.
    stream.on("error", done);
    stream.on("end", done);
    stream.end(body);
  });
}

const decoder = new TextDecoder();

function toText(bytes: Uint8Array): string {
  return bytes.length === 0 ? "" : decoder.decode(bytes);
}
