import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The resident memory of a process in megabytes. `undefined` after its exit. */
export async function residentMegabytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(orUndefined);
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/mu.exec(status ?? "") ?? [];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1_024) / 1e6;
}

export interface MemoryWatch extends Disposable {
  /** The maximum so far. */
  readonly highestMegabytes: number;
  /** The latest value. */
  readonly latestMegabytes: number;
}

const watchEveryMs = 250;

/** Reads the resident memory of a process four times a second. */
export function watchMemory(pid: number, onError: (error: unknown) => void): MemoryWatch {
  let highest = 0;
  let latest = 0;
  const timer = setInterval(() => {
    residentMegabytes(pid).then((megabytes) => {
      if (megabytes === undefined) return;
      latest = megabytes;
      highest = Math.max(highest, megabytes);
    }, onError);
  }, watchEveryMs);
  return {
    get highestMegabytes() {
      return highest;
    },
    get latestMegabytes() {
      return latest;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** The disk usage of a directory in megabytes. */
export async function directoryMegabytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isFile()) return 0;
      // The server may remove a file meanwhile.
      const found = await stat(join(entry.parentPath, entry.name)).catch(orUndefined);
      return (found?.blocks ?? 0) * 512;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

function orUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ESRCH") return undefined;
  throw error;
}
