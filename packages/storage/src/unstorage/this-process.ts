import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";

/** Names a process for others, who may run anywhere. */
export interface ProcessName {
  readonly host: string;
  readonly process: number;
  /** Where its id means something. */
  readonly scope: string;
}

export const thisProcess: ProcessName = {
  host: hostname(),
  process: process.pid,
  scope: scopeOfProcessIds(),
};

/**
 * A boot of one kernel and a name space of process ids. The host's name is not enough where it can be told better: cloned
 * machines and containers share one, and each has a process 1.
 */
function scopeOfProcessIds(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Known for certain only where its id means something to this process too. */
export function isKnownDead(name: Partial<ProcessName>): boolean {
  if (name.scope !== thisProcess.scope || name.process === undefined) return false;
  // Whoever had this process's id before it.
  if (name.process === process.pid) return true;
  try {
    process.kill(name.process, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Reads what a process has written about itself; whatever is missing or damaged is left out. */
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
