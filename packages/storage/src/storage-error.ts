/**
 * The codes of {@link StorageError}:
 *
 * - `closed`: the store was closed before the call.
 * - `invalid_key`, `key_too_long`, `wrong_partition`: the key is invalid or not in the commit's partition.
 * - `invalid_value`, `value_too_large`: the text is invalid.
 * - `invalid_sum`: the text of a summed key is not an integer, or the sum is not a safe integer.
 * - `invalid_argument`: another argument is invalid, for example a limit of 0.
 * - `missing_dependency`: an optional peer dependency is not installed.
 * - `directory_unusable`: the directory cannot be created, read or written.
 * - `in_use`: another process has the storage open, and the adapter supports only one, or two containers have the
 *   directory open.
 * - `corrupted`: stored data is missing or damaged. The message names it.
 * - `migration_pending`: the tables are missing or old, and the call may not change them. Nothing was changed.
 * - `already_taken`: a row that the commit takes from the outbox is gone. Nothing was written.
 * - `unavailable`: the storage failed. The outcome of a commit is unknown unless the message states it.
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
  | "migration_pending"
  | "already_taken"
  | "unavailable";

/**
 * Why the storage failed, if it is known:
 *
 * - `disk_full`: the disk or the quota is full (ENOSPC, EDQUOT).
 * - `disk_error`: the disk cannot be read or written (EIO).
 * - `read_only`: the file system is read-only (EROFS).
 * - `permission_denied`: the process may not write the files (EACCES, EPERM), or the PostgreSQL role lacks a right.
 * - `read_only_replica`: Redis is a replica (READONLY), or PostgreSQL is a standby.
 * - `out_of_memory`: Redis has reached its `maxmemory` (OOM), or PostgreSQL has no memory.
 * - `not_enough_replicas`: Redis has fewer replicas in sync than `min-replicas-to-write` (NOREPLICAS).
 * - `snapshot_failed`: Redis could not save its data to its disk (MISCONF).
 * - `loading`: Redis is still loading its data (LOADING), or PostgreSQL is starting.
 * - `no_master`: the Cluster, or the master of this replica, is down (CLUSTERDOWN, MASTERDOWN).
 * - `not_authorized`: the server rejects the user or the password (on Redis NOAUTH, WRONGPASS, NOPERM).
 * - `too_many_connections`: PostgreSQL or the pool has no free connection.
 * - `unreachable`: there is no connection.
 * - `no_answer`: there is a connection, but no reply arrived in time.
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
  | "too_many_connections"
  | "unreachable"
  | "no_answer";

/** Every error that a store throws. `code` is stable. `message` says what to do. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  /**
   * True for `unavailable` if the disk or the memory of the storage is full. The commit was not stored. Reads
   * still return current data.
   */
  readonly isFull: boolean;
  /** Why the storage failed, if it is known. */
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
