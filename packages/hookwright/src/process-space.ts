import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Where the number of a process names one process: a machine, since it was started, and on Linux a namespace of it. Two containers
 * may have the same host name, and their first processes have the same number; neither may take the other for dead.
 */
export function processSpace(): string {
  const boot = readOrNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const namespace = readOrNothing(() => readlinkSync("/proc/self/ns/pid"));
  return [hostname(), boot, namespace].filter((part) => part !== "").join(" ");
}

/** Only Linux has these files: elsewhere the name of the host is all there is. */
function readOrNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
