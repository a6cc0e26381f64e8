import { fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";

/**
 * Writes and flushes a few bytes fifty times a second in a separate process. A long flush shows that the disk stalled,
 * whatever the cause. Each message of the parent asks for the longest flush since the last one, in milliseconds.
 */
const pauseMs = 20;
const [file = ""] = process.argv.slice(2);
const bytes = Buffer.alloc(4_096, 1);
const descriptor = openSync(file, "w");
// The file is already unlinked, so it is removed with the process.
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
