import { readFile } from "node:fs/promises";

/** Resident memory in megabytes. */
export interface Memory {
  /** Without the pages of files: V8's heap, buffers and native memory. */
  readonly own: number;
  /** Pages of the data file and of programs. The kernel can take them back at any time. */
  readonly files: number;
}

/** The resident memory of a process. `undefined` after its exit. */
async function readMemory(pid: number): Promise<Memory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const megabytesOf = (name: string): number =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "mu").exec(status)?.[1]) * 1_024) / 1e6;
  const own = megabytesOf("RssAnon") + megabytesOf("RssShmem");
  return Number.isNaN(own) ? undefined : { own, files: megabytesOf("RssFile") };
}

export interface MemoryWatch extends Disposable {
  /** The maximum of each so far. */
  readonly highest: Memory;
  readonly latest: Memory;
}

const watchEveryMs = 250;

/** Reads the resident memory of a process four times a second. */
export function watchMemory(pid: number): MemoryWatch {
  let highest: Memory = { own: 0, files: 0 };
  let latest = highest;
  const timer = setInterval(async () => {
    latest = (await readMemory(pid)) ?? latest;
    highest = {
      own: Math.max(highest.own, latest.own),
      files: Math.max(highest.files, latest.files),
    };
  }, watchEveryMs);
  return {
    get highest() {
      return highest;
    },
    get latest() {
      return latest;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
