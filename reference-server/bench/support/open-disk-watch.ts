import { join } from "node:path";
import { startProgram } from "./program.ts";

export interface DiskWatch extends AsyncDisposable {
  /** The longest flush of a few bytes since the last call. */
  longestFlushMs(): Promise<number>;
}

/** Watches the disk of this directory. */
export function openDiskWatch(directory: string): DiskWatch {
  const program = startProgram(new URL("disk-watch.ts", import.meta.url), {
    args: [join(directory, "disk-watch")],
  });
  return {
    longestFlushMs: () => program.request("longest"),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
