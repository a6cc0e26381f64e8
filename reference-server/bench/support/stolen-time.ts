import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";

/** The kernel counts it in hundredths of a second (`USER_HZ`). */
const tickMs = 10;

/**
 * How long the host of this virtual machine has kept its processors from it since the start, over all of them, while there was work for them: `steal` of
 * `/proc/stat`, see proc_stat(5). 0 where nobody tells.
 */
export async function readStolenMs(): Promise<number> {
  const text = await readFile("/proc/stat", "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const ticks = /^cpu +(?:\d+ ){7}(\d+)/u.exec(text)?.[1] ?? 0;
  return Number(ticks) * tickMs;
}

/** What that is of the time of all processors. */
export function toStolenShare(stolenMs: number, inMs: number): number {
  return stolenMs / (inMs * availableParallelism());
}
