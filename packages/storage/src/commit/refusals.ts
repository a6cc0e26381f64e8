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
    `A commit touches one partition: the key ${key.map((part) => String(part)).join("/")} lies outside ${partition}. Split the commit, or derive both keys from the same text.`,
  );
}

export function closedError(): StorageError {
  return new StorageError("closed", "The store is closed: open another one, or close this one later.");
}
