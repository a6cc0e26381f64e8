import { maximumKeyBytes, writeKey } from "../keys/key-bytes.ts";
import type { Key } from "../port.ts";

/** Arguments of a command as Redis reads them (RESP bulk strings), for those that have some thousands. */
export interface EncodedArguments {
  readonly count: number;
  /** Of the arguments alone. */
  readonly byteLength: number;
  /** All bytes of a command: its head, then these arguments. The same head gives the same bytes again; another one is written over it. */
  behind(head: string): Buffer;
}

/** Where a writer stands. */
export interface WriterMark {
  readonly position: number;
  readonly count: number;
}

/** Writes arguments straight into the bytes that are sent. */
export interface ArgumentWriter {
  /** Bytes written so far. */
  byteLength(): number;
  mark(): WriterMark;
  /** Forgets what was written since. */
  rewind(mark: WriterMark): void;
  text(text: string): void;
  /** The encoded key, each byte of it as one character. Answers a hash of it. */
  key(key: Key): number;
  /** What {@link ArgumentWriter.key} writes, of a key that has been encoded already. */
  encodedKey(encoded: string): void;
  /** Whether the argument that begins at a mark has the bytes of the last one, which begins at another. */
  isLastAt(mark: WriterMark, last: WriterMark): boolean;
  /** One argument of as many numbers of 32 bits, big-endian, which are not known yet; the answer fills them in. */
  numbers(count: number): (numbers: readonly number[]) => void;
  /** What was written. It lies where the next arguments will be written, from {@link ArgumentWriter.clear} on. */
  arguments(): EncodedArguments;
  /** Begins anew. */
  clear(): void;
}

/** Kept free before the first argument, for the head of the command. */
const headRoom = 1_024;
/** Thousands may wait for a server that is silent, each with an argument or two. */
const initialBytes = 8 * 1024;
/** Larger ones are not kept for the next arguments. */
const keptBytes = 256 * 1024;
const shortLength = 32;
/** `$`, at most ten digits, two line ends. */
const mostFrameBytes = 15;

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

  /** Makes an argument of bytes that lie at `from`, where they belong if their number was guessed right. */
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
    // No character takes more than three bytes for each of its UTF-16 units. Nearly all texts have one for each.
    reserve(mostFrameBytes + value.length * 3);
    const from = position + headBytesOf(value.length);
    frame(from, writeShortAscii(value, from) ?? bytes.write(value, from));
  }

  /** A call into native code costs as much as some thirty turns of this loop. */
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
   * Each byte above 127 as UTF-8 writes the character of that number: the order of bytes stays as it was. Only a few of the last bytes are
   * moved, those of a time and what follows it.
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
      reserve(mostFrameBytes + maximumKeyBytes * 2);
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
    encodedKey: text,
    isLastAt(mark, last) {
      const length = position - last.position;
      // What they begin with tells their lengths.
      for (let at = 0; at < length; at++)
        if (bytes[mark.position + at] !== bytes[last.position + at]) return false;
      return true;
    },
    numbers(count) {
      reserve(mostFrameBytes + count * 4);
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
        behind(head) {
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

/** How long a key is whose texts are ASCII, without a NUL. */
function plainLengthOf(key: Key): number {
  let length = 3;
  for (let index = 1; index < key.length; index++) {
    const part = key[index];
    length += typeof part === "string" ? part.length + 2 : 8;
  }
  return length;
}

/** Of `$<length>` and a line end. */
function headBytesOf(length: number): number {
  let bytes = 4;
  for (let rest = length; rest >= 10; rest = Math.floor(rest / 10)) bytes += 1;
  return bytes;
}
