import { StorageError } from "../storage-error.ts";

/** The three Redis keys of a partition. They share a hash tag, so they lie in one slot of a Cluster. */
export interface PartitionKeys {
  /** Hash: encoded key → stored text, where that is not empty; and the marks of `empty-marks.ts`. */
  readonly rows: string;
  /** Sorted set of all encoded keys, every score 0, so that its order is that of their bytes. */
  readonly index: string;
  /** Sorted set of the encoded keys that expire, by the milliseconds at which they do. */
  readonly expiries: string;
}

/** @throws {StorageError} `invalid_argument` for a prefix that would hide the hash tag, or is empty */
export function checkPrefix(prefix: string): void {
  if (typeof prefix === "string" && /^[^{}\s]{1,64}$/u.test(prefix)) return;
  throw new StorageError(
    "invalid_argument",
    `prefix must be 1 to 64 characters without spaces and braces (braces mark the part that chooses the slot), not ${JSON.stringify(prefix)}.`,
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
