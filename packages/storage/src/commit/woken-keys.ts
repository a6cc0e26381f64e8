import { encodeKey } from "../keys/key-codec.ts";
import type { Commit, Key } from "../port.ts";
import { wrongPartition } from "./refusals.ts";

/** Beneath which keys several wake-ups say together that something is new. */
export interface WokenKeys {
  /** One wake-up; without keys, anything may be new. */
  add(beneath: readonly Key[] | undefined): void;
  /** Each key once. None where a wake-up had none, or where they are so many that whoever is told may as well look everywhere. */
  joined(): readonly Key[] | undefined;
}

const mostKeys = 256;

export function createWokenKeys(): WokenKeys {
  let keys: Map<string, Key> | undefined = new Map();
  return {
    add(beneath) {
      if (beneath === undefined) keys = undefined;
      for (const key of beneath ?? []) keys?.set(JSON.stringify(key), key);
      if (keys !== undefined && keys.size > mostKeys) keys = undefined;
    },
    joined: () => (keys === undefined ? undefined : [...keys.values()]),
  };
}

/** Whether a commit tells anybody. */
export function isWake(wake: Commit["wake"]): wake is true | readonly Key[] {
  return wake === true || (Array.isArray(wake) && wake.length > 0);
}

/**
 * The keys of a commit that tells somebody; nothing where it names none. Copied: its arrays are the caller's again.
 *
 * @throws {StorageError} `invalid_key`, `key_too_long`, `wrong_partition`: nothing of the commit may have been written by then
 */
export function readWake(wake: true | readonly Key[], partition: string): readonly Key[] | undefined {
  if (wake === true) return undefined;
  return wake.map((key) => {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    // Encoded for its checks alone.
    encodeKey(key);
    return [...key];
  });
}
