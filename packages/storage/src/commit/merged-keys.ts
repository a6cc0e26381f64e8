import { encodeKey } from "../keys/key-codec.ts";
import type { Commit, Key } from "../port.ts";
import { wrongPartition } from "./refusals.ts";

/** The keys of several notifications, each once. */
export interface MergedKeys {
  /** Adds a notification. `undefined`: notifications may have been lost. */
  add(keys: readonly Key[] | undefined): void;
  /** Returns `undefined` if a notification had no keys, or if there are more than {@link maxMergedKeys}. */
  merged(): readonly Key[] | undefined;
}

/** With more keys, reading everything costs about the same. */
export const maxMergedKeys = 1_024;

export function createMergedKeys(): MergedKeys {
  let merged: Map<string, Key> | undefined = new Map();
  return {
    add(keys) {
      if (keys === undefined) merged = undefined;
      for (const key of keys ?? []) merged?.set(JSON.stringify(key), key);
      if (merged !== undefined && merged.size > maxMergedKeys) merged = undefined;
    },
    merged: () => (merged === undefined ? undefined : [...merged.values()]),
  };
}

/**
 * Checks and copies the keys of a notification, each once. Returns `undefined` if there are none.
 *
 * @throws {StorageError} `invalid_key`, `key_too_long`, `wrong_partition`
 */
export function readNotify(notify: Commit["notify"], partition: string): readonly Key[] | undefined {
  if (notify === undefined || notify.length === 0) return undefined;
  const keys = new Map<string, Key>();
  for (const key of notify) {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    // A commit of many deliveries names the same queue for each of them.
    const encoded = encodeKey(key);
    if (!keys.has(encoded)) keys.set(encoded, [...key]);
  }
  return [...keys.values()];
}
