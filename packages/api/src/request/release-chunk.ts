import type { Readable } from "node:stream";

/** Below this, freeing costs more than the memory. */
const smallestBytes = 4_096;

/**
 * Frees the memory of a chunk that has been used. The garbage collector would let tens of megabytes of them wait. A chunk
 * stays intact if another listener gets it, or if it shares its memory.
 */
export function releaseChunk(stream: Readable, { buffer, byteLength }: Uint8Array): void {
  if (byteLength < smallestBytes || buffer.byteLength !== byteLength) return;
  if (stream.listenerCount("data") === 1 && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
