import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Identifies the scope in which a process id is unique: the machine, its current boot, and on Linux the PID namespace.
 * Two containers
 * may have the same host name and the same process ids. Neither may consider the other dead.
 */
export function processNamespace(): string {
  const boot = readOrNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const namespace = readOrNothing(() => readlinkSync("/proc/self/ns/pid"));
  return [hostname(), boot, namespace].filter((part) => part !== "").join(" ");
}

/** Only Linux has these files. Elsewhere the host name must be enough. */
function readOrNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/** True if this host runs a process with this id, even if another user owns it. */
export function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
