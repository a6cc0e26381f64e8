import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface DiskWatch extends AsyncDisposable {
  /** What a flush of a few bytes took at most since the last call. */
  longestFlushMs(): Promise<number>;
}

/** Watches the disk that has this directory. */
export function openDiskWatch(directory: string): DiskWatch {
  const program = fileURLToPath(new URL("disk-watch.ts", import.meta.url));
  const child = fork(program, [join(directory, "disk-watch")]);
  return {
    async longestFlushMs() {
      child.send("longest");
      const [milliseconds] = await once(child, "message");
      return milliseconds;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
