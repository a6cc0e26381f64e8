import type { Writable } from "../writable.ts";

/** `-1` when the body goes on, otherwise the index behind it. */
export type ChunkedProgress = number;

/** Gets the bytes of the body, from `start` to `end`. */
type OnData = (bytes: Buffer, start: number, end: number) => void;

export interface ChunkedReader {
  /** True once the framing was invalid or too long. Nothing after it can be trusted. */
  readonly broken: boolean;
  /** False once a line ended with a lone LF. The body is read, and the connection is not reused. */
  readonly isWellFormed: boolean;
  /** Reads the bytes from `start` to `end`. */
  read(bytes: Buffer, start: number, end: number, onData: OnData): ChunkedProgress;
}

/**
 * The limit of chunk sizes, extensions and trailers together. Without it a receiver could send extensions for ever.
 */
const maximumFramingBytes = 16_384;

const lineFeed = 10;
const chunkSize = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/u;

/** Reads `Transfer-Encoding: chunked` (RFC 9112 §7.1). */
export function createChunkedReader(): ChunkedReader {
  let expected: "size" | "data" | "data-end" | "trailer" = "size";
  let remaining = 0;
  let line = "";
  let framingBytes = 0;

  function read(bytes: Buffer, start: number, end: number, onData: OnData): ChunkedProgress {
    let offset = start;
    while (offset < end && !reader.broken) {
      if (expected === "data") {
        const partEnd = Math.min(end, offset + remaining);
        onData(bytes, offset, partEnd);
        remaining -= partEnd - offset;
        offset = partEnd;
        if (remaining === 0) expected = "data-end";
        continue;
      }
      // Bytes behind `end` are left from an earlier read.
      const found = bytes.indexOf(lineFeed, offset);
      const isWhole = found !== -1 && found < end;
      const lineEnd = isWhole ? found + 1 : end;
      framingBytes += lineEnd - offset;
      if (framingBytes > maximumFramingBytes) reader.broken = true;
      else line += bytes.toString("latin1", offset, lineEnd);
      offset = lineEnd;
      if (!isWhole || reader.broken) continue;
      const hasCarriageReturn = line.endsWith("\r\n");
      if (!hasCarriageReturn) reader.isWellFormed = false;
      const complete = line.slice(0, hasCarriageReturn ? -2 : -1);
      line = "";
      if (expected === "trailer" && complete === "") return offset;
      takeLine(complete);
    }
    return -1;
  }

  function takeLine(complete: string): void {
    if (expected === "data-end") {
      reader.broken = complete !== "";
      expected = "size";
    } else if (expected === "size") {
      const size = chunkSize.exec(complete)?.[1];
      if (size === undefined) reader.broken = true;
      else remaining = Number.parseInt(size, 16);
      expected = remaining === 0 ? "trailer" : "data";
    }
  }

  const reader: Writable<ChunkedReader> = { broken: false, isWellFormed: true, read };
  return reader;
}
