/** What the reader of a chunked body has come to: `-1` wants more, any other number is the index behind the body. */
export type ChunkedProgress = number;

export interface ChunkedReader {
  /** True once the framing made no sense, or was longer than any body we keep: nothing after it can be trusted. */
  readonly broken: boolean;
  read(bytes: Buffer, onData: (part: Buffer) => void): ChunkedProgress;
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
  let broken = false;

  function read(bytes: Buffer, onData: (part: Buffer) => void): ChunkedProgress {
    let offset = 0;
    while (offset < bytes.length && !broken) {
      if (expected === "data") {
        const part = bytes.subarray(offset, offset + remaining);
        offset += part.length;
        remaining -= part.length;
        if (remaining === 0) expected = "data-end";
        onData(part);
        continue;
      }
      const lineEnd = bytes.indexOf(lineFeed, offset);
      const end = lineEnd === -1 ? bytes.length : lineEnd + 1;
      framingBytes += end - offset;
      if (framingBytes > maximumFramingBytes) broken = true;
      else line += bytes.toString("latin1", offset, end);
      offset = end;
      if (lineEnd === -1 || broken) continue;
      const complete = line.slice(0, line.endsWith("\r\n") ? -2 : -1);
      line = "";
      if (expected === "trailer" && complete === "") return offset;
      takeLine(complete);
    }
    return -1;
  }

  function takeLine(complete: string): void {
    if (expected === "data-end") {
      broken = complete !== "";
      expected = "size";
    } else if (expected === "size") {
      const size = chunkSize.exec(complete)?.[1];
      if (size === undefined) broken = true;
      else remaining = Number.parseInt(size, 16);
      expected = remaining === 0 ? "trailer" : "data";
    }
  }

  return {
    get broken() {
      return broken;
    },
    read,
  };
}
