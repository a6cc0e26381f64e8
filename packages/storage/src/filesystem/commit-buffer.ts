import { checkMutation } from "../commit/check-mutation.ts";
import { wrongPartition } from "../commit/refusals.ts";
import { checkText } from "../commit/text.ts";
import { maximumKeyBytes, writeKey } from "../keys/key-bytes.ts";
import type { Commit, Key } from "../port.ts";
import { expiryHeaderBytes, expiryMark } from "./stored-text.ts";

/** Enough for about 200 typical commits. */
export const bufferBytes = 512 * 1024;

/**
 * The format of commits that are sent to the writer thread, one after the other. Numbers are little-endian.
 *
 * - commit: u32 length including this header, u32 number of checks, u32 number of mutations, u8 whether there is
 *   a sum
 * - check: u8 whether a text is expected, u16 key length, key, then the expected text, if any: u32 length,
 *   UTF-8
 * - mutation: u8 type, u16 key length, key, then for a set: u32 length, stored text; for a sum: f64 amount,
 *   f64 expiry (NaN keeps the current one)
 *
 * `setFor` is a set whose stored text contains a lifetime in milliseconds instead of an expiry.
 */
export const commitHeaderBytes = 13;
export const mutationTypes = { set: 0, delete: 1, sum: 2, setFor: 3 } as const;

/**
 * Collects commits as bytes. Each string is encoded once, and the buffer is transferred to the writer thread
 * without a copy.
 */
export interface CommitBuffer {
  /**
   * Adds a commit. If it throws, the buffer is unchanged.
   *
   * @throws {StorageError} if the commit is invalid
   */
  append(partition: string, commit: Commit): void;
  /** Returns the collected commits and starts a new buffer. */
  take(): { readonly bytes: ArrayBuffer; readonly length: number };
  isEmpty(): boolean;
}

/**
 * @param options.allocate returns an empty buffer of at least that many bytes
 * @param options.onFull is called if the next commit does not fit. It must take the collected commits
 */
export function createCommitBuffer(options: {
  readonly allocate: (minimumBytes: number) => ArrayBuffer;
  readonly onFull: () => void;
}): CommitBuffer {
  const { allocate, onFull } = options;
  let buffer = Buffer.from(allocate(bufferBytes));
  let view = new DataView(buffer.buffer);
  /** The start of the commit that is being written, and the current position. */
  let start = 0;
  let end = 0;

  function use(bytes: ArrayBuffer): void {
    buffer = Buffer.from(bytes);
    view = new DataView(bytes);
  }

  /** Ensures free space. A commit is never split: its written part moves to the new buffer. */
  function reserve(bytes: number): void {
    if (end + bytes <= buffer.length) return;
    // Copied, because `onFull` transfers the old buffer to the other thread and detaches its views.
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

  function writeKeyOf(key: Key): void {
    const after = writeKey(key, buffer, end + 2);
    view.setUint16(end, after - end - 2, true);
    end = after;
  }

  /** Writes a length, the expiry, if any, and the text. */
  function writeText(text: string, expiry: number | undefined): void {
    let position = end + 4;
    if (expiry !== undefined) {
      buffer[position] = expiryMark;
      view.setFloat64(position + 1, expiry, true);
      position += expiryHeaderBytes;
    }
    // Index entries are empty, and a call into native code costs as much as writing a key.
    if (text !== "") position += buffer.write(text, position, "utf8");
    view.setUint32(end, position - end - 4, true);
    end = position;
  }

  function write(partition: string, { checks, mutations }: Commit): void {
    reserve(commitHeaderBytes);
    end += commitHeaderBytes;
    if (checks !== undefined) {
      for (const { key, value } of checks) {
        if (key[0] !== partition) throw wrongPartition(key, partition);
        if (value !== undefined) checkText(value);
        reserve(maximumKeyBytes + 16 + maxBytes(value));
        buffer[end++] = value === undefined ? 0 : 1;
        writeKeyOf(key);
        if (value !== undefined) writeText(value, undefined);
      }
    }
    let hasSum = 0;
    for (const mutation of mutations) {
      const value = mutation.type === "set" ? mutation.value : undefined;
      const isSetFor = mutation.type === "set" && mutation.expiresInMs !== undefined;
      checkMutation(mutation, partition);
      reserve(maximumKeyBytes + 32 + maxBytes(value));
      buffer[end++] = mutationTypes[isSetFor ? "setFor" : mutation.type];
      writeKeyOf(mutation.key);
      if (mutation.type === "set") writeText(mutation.value, mutation.expiresAt ?? mutation.expiresInMs);
      else if (mutation.type === "sum") {
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

/** Returns an upper bound of the UTF-8 length: cheap for short texts, exact for long ones. */
function maxBytes(text: string | undefined): number {
  if (text === undefined) return 0;
  return text.length < 0x4000 ? text.length * 3 : Buffer.byteLength(text);
}
