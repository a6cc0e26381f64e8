import type { Writable } from "../writable.ts";

/** What the reader of a chunked body has come to: `-1` wants more, any other number is the index behind the body. */
export type ChunkedProgress = number;

/** Told of what belongs to the body: the bytes from `start` to `end`. */
type OnData = (bytes: Buffer, start: number, end: number) => void;

export interface ChunkedReader {
  /** True once the framing made no sense, or was longer than any body we keep: nothing after it can be trusted. */
  readonly broken: boolean;
  /** False once a line ended with a lone LF: the body is read, and the connection is not used again. */
  readonly isWellFormed: boolean;
  /** Reads the bytes from `start` to `end`. */
  read(bytes: Buffer, start: number, end: number, onData: OnData): ChunkedProgress;
}

/**
 * Chunk sizes, extensions and trailers of one answer together. Without a bound, a receiver could keep us busy with
 * extensions, of which nothing is ever kept.
 */
const maximumFramingBytes = 16_384;

const lineFeed = 10;
const chunkSize = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/u;

/** Takes apart `Transfer-Encoding: chunked` (RFC 9112 §7.1). */
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
      // What lies behind the end is of an earlier read.
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
