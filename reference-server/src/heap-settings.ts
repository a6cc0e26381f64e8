import { setFlagsFromString } from "node:v8";

/** Settles how V8 keeps the heap of a process whose work is delivering. It holds little, and lets go of much. */
export function applyHeapSettings(): void {
  // By default the heap grows to about four times what it holds before it is cleaned up; so it is 1.4 times, for a little more
  // work of the collector's own threads.
  setFlagsFromString("--heap-growing-percent=40");
  // After one burst that outlives a young collection V8 believes for good that what its code makes lives long, and makes it in
  // the old generation. A delivery that lives for milliseconds there costs half as much CPU again (`npm run bench -- delivery`).
  setFlagsFromString("--no-allocation-site-pretenuring");
}
