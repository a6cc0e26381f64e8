import { fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";

/**
 * Writes a few bytes into a file of its own and flushes them, fifty times a second, in a process of its own: what that takes longest
 * tells whether the disk stood still for long, whoever else uses it. The parent asks with any message and gets the milliseconds of the longest since it
 * last asked.
 */
const pauseMs = 20;
const [file = ""] = process.argv.slice(2);
const bytes = Buffer.alloc(4_096, 1);
const descriptor = openSync(file, "w");
// Flushed with its name gone as well, and it leaves nothing behind.
rmSync(file);
let longestMs = 0;

function flush(): void {
  const start = performance.now();
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  fdatasyncSync(descriptor);
  longestMs = Math.max(longestMs, performance.now() - start);
}

setInterval(flush, pauseMs);
process.on("message", () => {
  process.send?.(longestMs);
  longestMs = 0;
});
process.on("disconnect", () => process.exit(0));
