import { join } from "node:path";
import { startProgram } from "./program.ts";

export interface DiskWatch extends AsyncDisposable {
  /** What a flush of a few bytes took at most since the last call. */
  longestFlushMs(): Promise<number>;
}

/** Watches the disk that has this directory. */
export function openDiskWatch(directory: string): DiskWatch {
  const program = startProgram(new URL("disk-watch.ts", import.meta.url), {
    args: [join(directory, "disk-watch")],
  });
  return {
    longestFlushMs: () => program.ask("longest"),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
