import { checkAmount, checkExpiry } from "../commit/expiry.ts";
import { wrongPartition } from "../commit/refusals.ts";
import { checkText } from "../commit/text.ts";
import { maximumKeyBytes, writeKey } from "../keys/key-bytes.ts";
import type { Commit, Key } from "../port.ts";
import { expiryHeaderBytes, expiryMark } from "./stored-text.ts";

/** Enough for some two hundred ordinary commits. */
export const bufferBytes = 512 * 1024;

/**
 * What a commit looks like on its way to the writer's thread, one after the other, all numbers little-endian:
 *
 * - commit: u32 its length with this header, u32 number of checks, u32 number of mutations, u8 whether a sum is among them
 * - check: u8 whether a text is expected, u16 length and bytes of the key, then the text if so: u32 length, UTF-8
 * - mutation: u8 type, u16 length and bytes of the key, then for a set u32 length and the stored form of the text, for a sum
 *   f64 amount, f64 expiry (NaN: keep the one it has)
 */
export const commitHeaderBytes = 13;
export const mutationTypes = { set: 0, delete: 1, sum: 2 } as const;

/** Collects commits as bytes. Strings are written once, into memory that is then handed to the other thread uncopied. */
export interface CommitBuffer {
  /**
   * Adds a commit, or throws and leaves what was there.
   *
   * @throws {StorageError} what is wrong with the commit
   */
  append(partition: string, commit: Commit): void;
  /** Hands out what has been collected. */
  take(): { readonly bytes: ArrayBuffer; readonly length: number };
  isEmpty(): boolean;
}

/**
 * @param options.allocate gives an empty buffer of at least that many bytes
 * @param options.onFull is called when the next commit does not fit: it must take what has been collected
 */
export function createCommitBuffer(options: {
  readonly allocate: (minimumBytes: number) => ArrayBuffer;
  readonly onFull: () => void;
}): CommitBuffer {
  const { allocate, onFull } = options;
  let buffer = Buffer.from(allocate(bufferBytes));
  let view = new DataView(buffer.buffer);
  /** Where the commit that is being written began, and how far it has come. */
  let start = 0;
  let end = 0;

  function use(bytes: ArrayBuffer): void {
    buffer = Buffer.from(bytes);
    view = new DataView(bytes);
  }

  /** Makes room. A commit is never torn: its beginning moves along. */
  function reserve(bytes: number): void {
    if (end + bytes <= buffer.length) return;
    // A copy: what is taken is transferred to the other thread, and with it every view of it.
    const begun = Uint8Array.from(buffer.subarray(start, end));
    if (start > 0) {
      end = start;
      onFull();
    }
    if (begun.length + bytes > buffer.length) use(allocate((begun.length + bytes) * 2));
    buffer.set(begun);
    start = 0;
    end = begun.length;
  }

  function writeKeyOf(key: Key, partition: string): void {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    const after = writeKey(key, buffer, end + 2);
    view.setUint16(end, after - end - 2, true);
    end = after;
  }

  /** Writes a length and the text, behind its expiry if it has one. */
  function writeText(text: string, expiresAt: number | undefined): void {
    let position = end + 4;
    if (expiresAt !== undefined) {
      buffer[position] = expiryMark;
      view.setFloat64(position + 1, expiresAt, true);
      position += expiryHeaderBytes;
    }
    // The entries of an index have none, and a call into native code costs as much as a key.
    if (text !== "") position += buffer.write(text, position, "utf8");
    view.setUint32(end, position - end - 4, true);
    end = position;
  }

  function write(partition: string, { checks, mutations }: Commit): void {
    reserve(commitHeaderBytes);
    end += commitHeaderBytes;
    if (checks !== undefined) {
      for (const { key, value } of checks) {
        if (value !== undefined) checkText(value);
        reserve(maximumKeyBytes + 16 + mostBytes(value));
        buffer[end++] = value === undefined ? 0 : 1;
        writeKeyOf(key, partition);
        if (value !== undefined) writeText(value, undefined);
      }
    }
    let hasSum = 0;
    for (const mutation of mutations) {
      const value = mutation.type === "set" ? mutation.value : undefined;
      if (mutation.type === "set") checkText(mutation.value);
      if (mutation.type !== "delete" && mutation.expiresAt !== undefined) checkExpiry(mutation.expiresAt);
      reserve(maximumKeyBytes + 32 + mostBytes(value));
      buffer[end++] = mutationTypes[mutation.type];
      writeKeyOf(mutation.key, partition);
      if (mutation.type === "set") writeText(mutation.value, mutation.expiresAt);
      else if (mutation.type === "sum") {
        checkAmount(mutation.amount);
        hasSum = 1;
        view.setFloat64(end, mutation.amount, true);
        view.setFloat64(end + 8, mutation.expiresAt ?? Number.NaN, true);
        end += 16;
      }
    }
    view.setUint32(start, end - start, true);
    view.setUint32(start + 4, checks?.length ?? 0, true);
    view.setUint32(start + 8, mutations.length, true);
    buffer[start + 12] = hasSum;
  }

  return {
    append(partition, commit) {
      start = end;
      try {
        write(partition, commit);
      } catch (error) {
        end = start;
        throw error;
      }
    },
    take() {
      const taken = { bytes: buffer.buffer, length: end };
      use(allocate(bufferBytes));
      start = 0;
      end = 0;
      return taken;
    },
    isEmpty: () => end === 0,
  };
}

/** A limit for the length of a text in UTF-8: cheap for short texts, exact for long ones. */
function mostBytes(text: string | undefined): number {
  if (text === undefined) return 0;
  return text.length < 0x4000 ? text.length * 3 : Buffer.byteLength(text);
}
