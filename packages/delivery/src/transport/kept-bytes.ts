import type { Writable } from "../writable.ts";
import { toExcerpt } from "./decode-excerpt.ts";

export interface KeptBytes {
  readonly length: number;
  /** Keeps what still fits of the bytes from `start` to `end`; false when something did not. */
  keep(bytes: Buffer, start: number, end: number): boolean;
  /** Stops borrowing the memory of the socket's last read. */
  own(): void;
  clear(): void;
  /** What is kept, in memory of its own. */
  copy(): Buffer;
  /** What is kept, as text. */
  text(): string;
}

const nothing = Buffer.alloc(0);

/**
 * The first `limitBytes` of a body. The first part is borrowed: most answers come whole in one read and are decoded at once,
 * so nothing is copied. What has to outlive the read is copied into one buffer that grows: neither a few kept bytes
 * that hold a read of 64 KiB, nor thousands of one-byte chunks that each cost an object.
 */
export function createKeptBytes(limitBytes: number): KeptBytes {
  let storage: Buffer = nothing;
  /** Where they begin in what is borrowed. */
  let offset = 0;
  let borrowed = false;

  function keep(bytes: Buffer, start: number, end: number): boolean {
    const count = Math.min(end - start, limitBytes - kept.length);
    if (kept.length === 0) {
      storage = bytes;
      offset = start;
      borrowed = true;
    } else if (count > 0) {
      if (kept.length + count > storage.length || borrowed) reserve(kept.length + count);
      bytes.copy(storage, kept.length, start, start + count);
    }
    kept.length += count;
    return count === end - start;
  }

  function reserve(wanted: number): void {
    const larger = Buffer.allocUnsafe(Math.min(limitBytes, 2 * wanted));
    storage.copy(larger, 0, offset, offset + kept.length);
    storage = larger;
    offset = 0;
    borrowed = false;
  }

  const kept: Writable<KeptBytes> = {
    length: 0,
    keep,
    own() {
      if (borrowed && kept.length > 0) reserve(kept.length);
    },
    clear() {
      storage = nothing;
      offset = kept.length = 0;
      borrowed = false;
    },
    copy: () => Buffer.from(storage.subarray(offset, offset + kept.length)),
    text: () => toExcerpt(storage, offset, offset + kept.length),
  };
  return kept;
}
