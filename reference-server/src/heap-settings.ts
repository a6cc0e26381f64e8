import { setFlagsFromString } from "node:v8";
import type { StorageLocation } from "./storage-location.ts";

/** V8's own judgement of how far a heap may grow. */
const dynamic = 0;

/** Settles how V8 keeps the heap of a process whose work is delivering. It lets go of much. */
export function applyHeapSettings(storage: StorageLocation["type"]): void {
  // Where the data is elsewhere the heap holds little, and would grow to about four times that before it is cleaned up; so it is
  // 1.4 times, for a little more work of the collector's own threads. Where the data is in the heap, each cleaning goes through all of it.
  setFlagsFromString(`--heap-growing-percent=${storage === "memory" ? dynamic : 40}`);
  // After one burst that outlives a young collection V8 believes for good that what its code makes lives long, and makes it in
  // the old generation. A delivery that lives for milliseconds there costs up to 60 % more CPU.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
