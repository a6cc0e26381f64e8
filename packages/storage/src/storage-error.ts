/**
 * What can go wrong:
 *
 * - `closed`: the store was closed before the call.
 * - `invalid_key`, `key_too_long`, `wrong_partition`: the key cannot be stored, or lies outside the commit's partition.
 * - `invalid_value`, `value_too_large`: the text cannot be stored.
 * - `invalid_sum`: the text under a key that is summed is no integer, or the result would not be a safe one.
 * - `invalid_argument`: any other argument that has no meaning, such as a limit of 0.
 * - `missing_dependency`: an optional peer dependency is not installed.
 * - `directory_unusable`: the directory cannot be created, read or written.
 * - `in_use`: another process has the storage open, and the adapter serves one alone.
 * - `corrupted`: something that had been stored is missing or changed; the message names it.
 * - `unavailable`: the storage behind the adapter failed; whether the commit happened is not known unless the message says so.
 */
export type StorageErrorCode =
  | "closed"
  | "invalid_key"
  | "key_too_long"
  | "wrong_partition"
  | "invalid_value"
  | "value_too_large"
  | "invalid_sum"
  | "invalid_argument"
  | "missing_dependency"
  | "directory_unusable"
  | "in_use"
  | "corrupted"
  | "unavailable";

/**
 * Why the storage behind an adapter failed, as far as it has said so:
 *
 * - `disk_full`: no room or no quota is left on the disk (ENOSPC, EDQUOT).
 * - `disk_error`: the disk cannot be read or written (EIO).
 * - `read_only`: the file system is read-only (EROFS).
 * - `permission_denied`: the process may not write the files (EACCES, EPERM).
 * - `read_only_replica`: Redis is a replica (READONLY).
 * - `out_of_memory`: Redis has reached its `maxmemory` (OOM).
 * - `not_enough_replicas`: Redis has fewer replicas in sync than `min-replicas-to-write` (NOREPLICAS).
 * - `snapshot_failed`: Redis could not save its data to its disk (MISCONF).
 * - `loading`: Redis still reads its data (LOADING).
 * - `no_master`: the Cluster, or the master of this replica, is down (CLUSTERDOWN, MASTERDOWN).
 * - `not_authorized`: Redis refuses the user or the password (NOAUTH, WRONGPASS, NOPERM).
 * - `unreachable`: there is no connection.
 * - `no_answer`: there is a connection, and no answer came in time.
 */
export type StorageErrorReason =
  | "disk_full"
  | "disk_error"
  | "read_only"
  | "permission_denied"
  | "read_only_replica"
  | "out_of_memory"
  | "not_enough_replicas"
  | "snapshot_failed"
  | "loading"
  | "no_master"
  | "not_authorized"
  | "unreachable"
  | "no_answer";

/** Every error a store throws. `code` is stable; `message` says what to do next. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  /**
   * Of `unavailable`: the disk or the memory of the storage is used up. Nothing of the commit was stored, and what is read is as
   * current as ever.
   */
  readonly isFull: boolean;
  /** Why, where the storage has said so. */
  readonly reason: StorageErrorReason | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options?: {
      readonly cause?: unknown;
      readonly isFull?: boolean | undefined;
      readonly reason?: StorageErrorReason | undefined;
    },
  ) {
    super(message, options);
    this.code = code;
    this.isFull = options?.isFull ?? false;
    this.reason = options?.reason;
  }
}
