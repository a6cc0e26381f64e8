import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";

/** Identifies a process to other processes, which may run on any machine. */
export interface ProcessName {
  readonly host: string;
  readonly process: number;
  /** The scope in which its process id is valid. */
  readonly scope: string;
}

export const thisProcess: ProcessName = {
  host: hostname(),
  process: process.pid,
  scope: scopeOfProcessIds(),
};

/**
 * Returns the kernel boot and the PID namespace. The host name is only a fallback, because cloned machines
 * and containers may share it.
 */
function scopeOfProcessIds(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Returns whether the process is certainly dead. That can be known only in the same scope. */
export function isKnownDead(name: Partial<ProcessName>): boolean {
  if (name.scope !== thisProcess.scope || name.process === undefined) return false;
  // An earlier process with the same id.
  if (name.process === process.pid) return true;
  try {
    process.kill(name.process, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Parses the identity of a process. Omits missing and invalid fields. */
export function parseProcessName(json: string): Partial<ProcessName> {
  if (json === "") return {};
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) return {};
  return {
    ...("host" in value && typeof value.host === "string" ? { host: value.host } : {}),
    ...("process" in value && typeof value.process === "number" ? { process: value.process } : {}),
    ...("scope" in value && typeof value.scope === "string" ? { scope: value.scope } : {}),
  };
}
