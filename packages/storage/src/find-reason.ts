import { constants } from "node:os";
import { StorageError } from "./storage-error.ts";
import type { StorageErrorReason } from "./storage-error.ts";

/** By Node's error names. LMDB reports the numbers of the operating system. */
const reasonsOfSystem: Readonly<Record<string, StorageErrorReason>> = {
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  EIO: "disk_error",
  EROFS: "read_only",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  ECONNREFUSED: "unreachable",
  ECONNRESET: "unreachable",
  EPIPE: "unreachable",
  ENOTFOUND: "unreachable",
  EAI_AGAIN: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ETIMEDOUT: "no_answer",
};

const namesOfErrno = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

/** Redis error codes. In errors of scripts, older versions write text before them. */
const reasonsOfRedis: readonly (readonly [RegExp, StorageErrorReason])[] = [
  [/\bREADONLY\b/u, "read_only_replica"],
  [/\bOOM\b/u, "out_of_memory"],
  [/\bNOREPLICAS\b/u, "not_enough_replicas"],
  [/\bMISCONF\b/u, "snapshot_failed"],
  [/\bLOADING\b/u, "loading"],
  [/\b(?:CLUSTERDOWN|MASTERDOWN)\b/u, "no_master"],
  [/\b(?:NOAUTH|WRONGPASS|NOPERM)\b/u, "not_authorized"],
  // Errors of scripts in Redis 7.0, and in Redis 7.2 and Valkey.
  [/\buser executing the script can't\b|\bACL failure in script\b/u, "not_authorized"],
];

const maxCauseChain = 8;

/** Returns why a storage failed, by the code or the text of the error or of one of its causes. */
export function findReason(error: unknown): StorageErrorReason | undefined {
  let current = error;
  for (let depth = 0; depth < maxCauseChain && current instanceof Error; depth += 1) {
    const { message } = current;
    const reason =
      (current instanceof StorageError ? current.reason : undefined) ??
      ("code" in current ? reasonOfSystemError(current.code) : undefined) ??
      reasonsOfRedis.find(([pattern]) => pattern.test(message))?.[1];
    if (reason !== undefined) return reason;
    current = current.cause;
  }
  return undefined;
}

/** @param code the name of a system error, such as `ENOSPC`, or its number */
export function reasonOfSystemError(code: unknown): StorageErrorReason | undefined {
  const name = typeof code === "number" ? namesOfErrno.get(code) : code;
  return typeof name === "string" && Object.hasOwn(reasonsOfSystem, name) ? reasonsOfSystem[name] : undefined;
}
