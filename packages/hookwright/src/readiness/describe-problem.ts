import { StorageError } from "@hookwright/storage";
import type { StorageErrorCode, StorageErrorReason } from "@hookwright/storage";

/**
 * The texts of `/readyz` by error reason. The route is public, so the texts have no host name, path or message of
 * another program.
 */
const problems: Readonly<Record<StorageErrorReason, string>> = {
  disk_full: "The storage cannot be written: the disk is full (ENOSPC).",
  disk_error: "The storage cannot be written: the disk reports an I/O error (EIO).",
  read_only: "The storage cannot be written: the file system is read-only (EROFS).",
  permission_denied: "The storage cannot be written: permission denied.",
  read_only_replica: "The storage cannot be written: the server is a read-only replica.",
  out_of_memory: "The storage cannot be written: the server is out of memory.",
  not_enough_replicas: "The storage cannot be written: Redis has too few replicas in sync (NOREPLICAS).",
  snapshot_failed: "The storage cannot be written: Redis could not save its data to its disk (MISCONF).",
  loading: "The storage cannot be used yet: the server is starting.",
  no_master: "The storage cannot be used: Redis has no master at the moment (CLUSTERDOWN or MASTERDOWN).",
  not_authorized: "The storage cannot be used: the server refuses the user or the password.",
  too_many_connections: "The storage cannot be used: no database connection is free.",
  unreachable: "The storage cannot be reached.",
  no_answer: "The storage does not respond.",
};

/** Texts by error code, for errors without a reason. */
const problemsOfCodes: Partial<Record<StorageErrorCode, string>> = {
  closed: "The storage is closed.",
  in_use: "The storage is in use by another process.",
};

const unknownProblem = "The storage cannot be written. The log says why.";

const longestCauseChain = 8;

/** Returns one of the fixed texts above. */
export function describeProblem(error: unknown): string {
  let current = error;
  // An adapter of the program may wrap the error of another store.
  for (let depth = 0; depth < longestCauseChain && current instanceof Error; depth += 1) {
    if (current instanceof StorageError) {
      const { reason, code } = current;
      const problem = reason === undefined ? problemsOfCodes[code] : problems[reason];
      if (problem !== undefined) return problem;
    }
    current = current.cause;
  }
  return unknownProblem;
}

export function timeoutError(timeoutMs: number): StorageError {
  return new StorageError("unavailable", `The storage did not respond within ${timeoutMs} ms.`, {
    reason: "no_answer",
  });
}
