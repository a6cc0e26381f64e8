import type { BodyMemory } from "./body-budget.ts";
import { BodyTooLargeError } from "./body-errors.ts";

/** The size limit of a body and the source of its memory. */
export interface BodyLimits {
  readonly limitBytes: number;
  readonly memory: BodyMemory;
}

/** Collects the bytes of a body while they arrive. */
export interface BodyBuffer {
  /** @throws BodyTooLargeError, BodyMemoryError */
  append(piece: Uint8Array): void;
  /** The bytes so far, not a copy. */
  bytes(): Uint8Array;
  /** Frees the memory immediately, without waiting for the garbage collector. */
  discard(): void;
}

const smallestBytes = 1_024;

/**
 * Collects a body in memory that it reserves first. It copies each piece: a piece of one byte would otherwise keep its
 * whole packet in memory.
 *
 * @param announcedBytes its `Content-Length`, if there is one
 */
export function createBodyBuffer({ limitBytes, memory }: BodyLimits, announcedBytes: number): BodyBuffer {
  const maximumBytes = announcedBytes > 0 ? Math.min(limitBytes, announcedBytes) : limitBytes;
  let buffer = new Uint8Array();
  let size = 0;

  function grow(needed: number): void {
    const doubled = Math.max(smallestBytes, buffer.byteLength * 2);
    const capacity = Math.max(needed, Math.min(maximumBytes, doubled));
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
