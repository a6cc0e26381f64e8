import { invalidPartition, isPartition } from "../keys/key-bytes.ts";
import type { Commit, Key } from "../port.ts";
import { StorageError } from "../storage-error.ts";

/** @throws {StorageError} `invalid_key` */
export function checkPartition(partition: string): void {
  if (!isPartition(partition)) throw invalidPartition(partition);
}

export function wrongPartition(key: Key, partition: string): StorageError {
  return new StorageError(
    "wrong_partition",
    `The key ${key.map((part) => String(part)).join("/")} is not in the partition ${partition} of the commit. Split the commit, or derive the partition of all keys from the same text.`,
  );
}

export function closedError(): StorageError {
  return new StorageError("closed", "The store is closed. Open it again, or close it later.");
}

/** For stores without an outbox. @throws {StorageError} `invalid_argument` */
export function refuseTakes({ takes }: Commit): void {
  if (takes === undefined || takes.length === 0) return;
  throw new StorageError(
    "invalid_argument",
    "takes: this store has no outbox, so a commit cannot take rows of one. Use the PostgreSQL store, or remove the rows after the commit.",
  );
}

export function alreadyTakenError(): StorageError {
  return new StorageError(
    "already_taken",
    "takes: a row of the outbox is gone, because another process has taken it. Nothing was written. Read the outbox again.",
  );
}
