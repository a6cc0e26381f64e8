import { StorageError } from "../storage-error.ts";

/** The three Redis keys of a partition. They share a hash tag, so they lie in one slot of a Cluster. */
export interface PartitionKeys {
  /** Hash: encoded key → stored text, if it is not empty. */
  readonly rows: string;
  /** Sorted set of all encoded keys. All scores are 0, so it is ordered by bytes. */
  readonly index: string;
  /** Sorted set of the encoded keys that expire, by expiry in milliseconds. */
  readonly expiries: string;
}

/** @throws {StorageError} `invalid_argument` if the prefix is empty, too long or contains braces or spaces */
export function checkPrefix(prefix: string): void {
  if (typeof prefix === "string" && /^[^{}\s]{1,64}$/u.test(prefix)) return;
  throw new StorageError(
    "invalid_argument",
    `prefix must be 1 to 64 characters without spaces and braces (Redis uses braces for hash tags), not ${JSON.stringify(prefix)}.`,
  );
}

export function partitionKeysOf(prefix: string): (partition: string) => PartitionKeys {
  const known = new Map<string, PartitionKeys>();
  return (partition) => {
    const found = known.get(partition);
    if (found !== undefined) return found;
    const tag = `{${prefix}:${partition}}`;
    const keys = { rows: `${tag}:rows`, index: `${tag}:index`, expiries: `${tag}:expiries` };
    known.set(partition, keys);
    return keys;
  };
}
