import { spawnSync } from "node:child_process";

/** Seconds of processor time that a process has used so far, as `ps` tells: whole ones. */
export function cpuSecondsOf(pid: number): number {
  const { stdout } = spawnSync("ps", ["-o", "cputimes=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout.trim());
}
