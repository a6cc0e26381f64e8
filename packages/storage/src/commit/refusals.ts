import { invalidPartition, isPartition } from "../keys/key-bytes.ts";
import type { Key } from "../port.ts";
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
