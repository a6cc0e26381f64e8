import { maximumKeyBytes, writeKey } from "../keys/key-bytes.ts";
import type { Key } from "../port.ts";

/** Encoded arguments of a command (RESP bulk strings), for commands with thousands of arguments. */
export interface EncodedArguments {
  readonly count: number;
  /** The size of the arguments, without the head. */
  readonly byteLength: number;
  /**
   * Returns all bytes of a command: its head, then these arguments. Another head overwrites the previous one.
   */
  withHead(head: string): Buffer;
}

/** A position of a writer. */
export interface WriterMark {
  readonly position: number;
  readonly count: number;
}

/**
 * Writes arguments directly into the bytes that are sent. With strings, which ioredis encodes, a commit of six changes costs 10 µs
 * more CPU time, and a delivery a third more.
 */
export interface ArgumentWriter {
  /** Returns the number of bytes written. */
  byteLength(): number;
  mark(): WriterMark;
  /** Discards everything after the mark. */
  rewind(mark: WriterMark): void;
  text(text: string): void;
  /** Writes an encoded key, each byte as one character. Returns a hash of the key. */
  key(key: Key): number;
  /** Writes one argument of 32-bit big-endian numbers. The returned function fills them in. */
  numbers(count: number): (numbers: readonly number[]) => void;
  /** Returns the arguments. {@link ArgumentWriter.clear} reuses their memory. */
  arguments(): EncodedArguments;
  /** Discards all arguments. */
  clear(): void;
}

/** Reserved for the head of the command. */
const headRoom = 1_024;
/** Small, because thousands of writers may wait for an unresponsive server. */
const initialBytes = 8 * 1024;
/** Larger buffers are not reused. */
const keptBytes = 256 * 1024;
const shortLength = 32;
/** `$`, at most ten digits, two line ends. */
const maxFrameBytes = 15;

const dollar = 0x24;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const zero = 0x30;

export function createArgumentWriter(): ArgumentWriter {
  let bytes = Buffer.allocUnsafeSlow(initialBytes);
  let view = new DataView(bytes.buffer);
  let position = headRoom;
  let written = 0;

  function allocate(size: number): void {
    bytes = Buffer.allocUnsafeSlow(size);
    view = new DataView(bytes.buffer);
  }

  function reserve(count: number): void {
    if (position + count <= bytes.length) return;
    const smaller = bytes;
    allocate(Math.max(smaller.length * 2, position + count));
    smaller.copy(bytes, 0, 0, position);
  }

  /** Adds the RESP frame to the bytes at `from`. Moves them if their length was guessed wrong. */
  function frame(from: number, length: number): void {
    const start = position + headBytesOf(length);
    if (start !== from) bytes.copyWithin(start, from, from + length);
    bytes[position] = dollar;
    bytes[start - 2] = carriageReturn;
    bytes[start - 1] = lineFeed;
    let rest = length;
    for (let at = start - 3; at > position; at--) {
      bytes[at] = zero + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    position = start + length;
    bytes[position++] = carriageReturn;
    bytes[position++] = lineFeed;
    written += 1;
  }

  function text(value: string): void {
    // A UTF-16 unit takes at most three bytes of UTF-8, and usually one.
    reserve(maxFrameBytes + value.length * 3);
    const from = position + headBytesOf(value.length);
    frame(from, writeShortAscii(value, from) ?? bytes.write(value, from));
  }

  /** A call into native code costs as much as about thirty iterations of this loop. */
  function writeShortAscii(value: string, from: number): number | undefined {
    const { length } = value;
    if (length > shortLength) return undefined;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return undefined;
      bytes[from + index] = code;
    }
    return length;
  }

  /**
   * Encodes each byte above 127 as a two-byte UTF-8 character, which keeps the order of bytes. Usually only a
   * few of the last bytes move.
   */
  function widen(from: number, end: number): number {
    let more = 0;
    for (let at = from; at < end; at++) more += (bytes[at] ?? 0) >>> 7;
    let to = end + more;
    for (let at = end; to > at;) {
      const byte = bytes[--at] ?? 0;
      if (byte < 0x80) bytes[--to] = byte;
      else {
        bytes[--to] = 0x80 | (byte & 0x3f);
        bytes[--to] = 0xc0 | (byte >> 6);
      }
    }
    return end + more;
  }

  return {
    byteLength: () => position - headRoom,
    mark: () => ({ position, count: written }),
    rewind(mark) {
      position = mark.position;
      written = mark.count;
    },
    text,
    key(key) {
      reserve(maxFrameBytes + maximumKeyBytes * 2);
      const from = position + headBytesOf(plainLengthOf(key));
      const end = writeKey(key, bytes, from);
      let hash = 0;
      let bits = 0;
      let at = from;
      for (; at + 4 <= end; at += 4) {
        const word = view.getUint32(at);
        bits |= word;
        hash = Math.imul(hash ^ word, 0x5bd1e995);
        hash ^= hash >>> 15;
      }
      for (; at < end; at++) {
        const byte = bytes[at] ?? 0;
        bits |= byte;
        hash = Math.imul(hash ^ byte, 0x5bd1e995);
        hash ^= hash >>> 15;
      }
      frame(from, ((bits & 0x80808080) === 0 ? end : widen(from, end)) - from);
      return hash ^ (hash >>> 16);
    },
    numbers(count) {
      reserve(maxFrameBytes + count * 4);
      const from = position + headBytesOf(count * 4);
      frame(from, count * 4);
      return (numbers) => {
        numbers.forEach((number, index) => view.setUint32(from + index * 4, number));
      };
    },
    arguments() {
      const [buffer, end] = [bytes, position];
      return {
        count: written,
        byteLength: end - headRoom,
        withHead(head) {
          const headBytes = Buffer.byteLength(head);
          if (headBytes > headRoom) return Buffer.concat([Buffer.from(head), buffer.subarray(headRoom, end)]);
          buffer.write(head, headRoom - headBytes);
          return buffer.subarray(headRoom - headBytes, end);
        },
      };
    },
    clear() {
      if (bytes.length > keptBytes) allocate(initialBytes);
      position = headRoom;
      written = 0;
    },
  };
}

/** Returns the encoded length of a key if its strings are ASCII without NUL. */
function plainLengthOf(key: Key): number {
  let length = 3;
  for (let index = 1; index < key.length; index++) {
    const part = key[index];
    length += typeof part === "string" ? part.length + 2 : 8;
  }
  return length;
}

/** Returns the size of `$<length>` and a line end. */
function headBytesOf(length: number): number {
  let bytes = 4;
  for (let rest = length; rest >= 10; rest = Math.floor(rest / 10)) bytes += 1;
  return bytes;
}
