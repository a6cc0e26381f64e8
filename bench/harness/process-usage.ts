import { readFile } from "node:fs/promises";

/** The unit of `utime` and `stime`: a hundred a second wherever Node runs on Linux. */
const ticksPerSecond = 100;

/** The CPU time of a process since its start, in seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The fields follow the name, which is in parentheses and may contain anything: utime is the 14th field, stime the
  // 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The memory of a process in megabytes. */
export interface ProcessMemory {
  /** All of it, with the pages of programs and mapped files, which processes share. */
  readonly resident: number;
  /** Without mapped files: V8's heap, buffers and native memory. */
  readonly anonymous: number;
}

/** @throws Error if the process has ended */
export async function memoryMegabytes(pid: number): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024) / 1e6;
  return { resident: read("VmRSS"), anonymous: read("RssAnon") + read("RssShmem") };
}

export interface MemoryWatch extends Disposable {
  /** The maximum of each so far. */
  readonly highest: ProcessMemory;
  readonly latest: ProcessMemory;
}

const watchEveryMs = 250;

/** Reads the memory of a process four times a second, until it exits. */
export function watchMemory(pid: number): MemoryWatch {
  let highest: ProcessMemory = { resident: 0, anonymous: 0 };
  let latest = highest;
  const timer = setInterval(async () => {
    latest = await memoryMegabytes(pid).catch(() => latest);
    highest = {
      resident: Math.max(highest.resident, latest.resident),
      anonymous: Math.max(highest.anonymous, latest.anonymous),
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
