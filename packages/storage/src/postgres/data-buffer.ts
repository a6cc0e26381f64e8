/** A part of the data: its position and its length in bytes. */
export interface Piece {
  readonly start: number;
  readonly length: number;
}

/** Keys and texts end to end. `pg` sends it in binary, while it would write an array of `bytea` in hexadecimal. */
export interface DataBuffer {
  addKey(encoded: string): Piece;
  addText(text: string): Piece;
  bytes(): Uint8Array;
}

const maxBytesOfUnit = 3;

export function createDataBuffer(): DataBuffer {
  let buffer = Buffer.allocUnsafe(4_096);
  let end = 0;

  function reserve(size: number): void {
    if (end + size <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + size));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }

  function add(text: string, encoding: "latin1" | "utf8", maxSize: number): Piece {
    reserve(maxSize);
    const start = end;
    const length = buffer.write(text, start, encoding);
    end += length;
    return { start, length };
  }

  return {
    addKey: (encoded) => add(encoded, "latin1", encoded.length),
    addText: (text) => add(text, "utf8", text.length * maxBytesOfUnit),
    bytes: () => buffer.subarray(0, end),
  };
}
