import type { BodyMemory } from "./body-budget.ts";
import { BodyTooLargeError } from "./body-too-large-error.ts";

/** What a body may need, and where its memory comes from. */
export interface BodyLimits {
  readonly limitBytes: number;
  readonly memory: BodyMemory;
}

/** The bytes of a body, while they arrive. */
export interface BodyBuffer {
  /** @throws BodyTooLargeError, BodyMemoryError */
  append(piece: Uint8Array): void;
  /** What has arrived. Not a copy. */
  bytes(): Uint8Array;
  /** Frees the memory at once, without waiting for the garbage collector. */
  discard(): void;
}

const smallestBytes = 1_024;

/**
 * Collects a body in memory that it reserves first. Pieces are copied: a piece of one byte would otherwise keep the whole packet
 * in memory that it came in.
 *
 * @param announcedBytes its `Content-Length`, if there is one
 */
export function createBodyBuffer({ limitBytes, memory }: BodyLimits, announcedBytes: number): BodyBuffer {
  const mostBytes = announcedBytes > 0 ? Math.min(limitBytes, announcedBytes) : limitBytes;
  let buffer = new Uint8Array();
  let size = 0;

  function grow(needed: number): void {
    const doubled = Math.max(smallestBytes, buffer.byteLength * 2);
    const capacity = Math.max(needed, Math.min(mostBytes, doubled));
    memory.reserve(capacity - buffer.byteLength);
    buffer = new Uint8Array(buffer.buffer.transfer(capacity));
  }

  return {
    append(piece) {
      const needed = size + piece.byteLength;
      if (needed > limitBytes) throw new BodyTooLargeError(limitBytes);
      if (needed > buffer.byteLength) grow(needed);
      buffer.set(piece, size);
      size = needed;
      memory.progress();
    },
    bytes: () => buffer.subarray(0, size),
    discard() {
      buffer = new Uint8Array(buffer.buffer.transfer(0));
      size = 0;
    },
  };
}
