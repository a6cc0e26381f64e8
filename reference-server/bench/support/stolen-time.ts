import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";

/** The kernel counts in hundredths of a second (`USER_HZ`). */
const tickMs = 10;

/**
 * The CPU time that the host of this virtual machine withheld since the start, over all CPUs: `steal` of `/proc/stat`,
 * see proc_stat(5). 0 if it is unknown.
 */
export async function readStolenMs(): Promise<number> {
  const text = await readFile("/proc/stat", "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const ticks = /^cpu +(?:\d+ ){7}(\d+)/u.exec(text)?.[1] ?? 0;
  return Number(ticks) * tickMs;
}

/** The share of this time in the time of all CPUs. */
export function toStolenShare(stolenMs: number, inMs: number): number {
  return stolenMs / (inMs * availableParallelism());
}
