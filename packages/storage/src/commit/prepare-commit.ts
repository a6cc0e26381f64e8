import { checkAmount, checkExpiry, checkGivenExpiry, type GivenExpiry } from "./expiry.ts";
import { readNotify } from "./merged-keys.ts";
import { wrongPartition } from "./refusals.ts";
import { checkText } from "./text.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Commit, Key, Mutation } from "../port.ts";

/** The key of a check or mutation. */
export interface PreparedKey {
  /** The encoded key, which sorts like the key. */
  readonly key: string;
  /** As JSON, for adapters that store keys as JSON. */
  readonly keyJson: string;
}

export type PreparedMutation = PreparedKey &
  (
    | ({ readonly type: "set"; readonly text: string } & GivenExpiry)
    | { readonly type: "delete" }
    | { readonly type: "sum"; readonly amount: number; readonly expiresAt: number | undefined }
  );

/** A copy of a valid commit. The caller may change its arrays afterwards. */
export interface PreparedCommit {
  readonly partition: string;
  readonly checks: readonly { readonly key: string; readonly text: string | undefined }[];
  readonly mutations: readonly PreparedMutation[];
  /** At least one key, or `undefined`. */
  readonly notify: readonly Key[] | undefined;
  /** The number of characters of its keys and texts: about its size in the log. */
  readonly size: number;
}

/**
 * Validates a commit without reading the store, and copies it.
 *
 * @throws {StorageError} if the commit is invalid
 */
export function prepareCommit(partition: string, { checks = [], mutations, notify }: Commit): PreparedCommit {
  let size = 0;

  function prepareKey(key: Key): string {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    return encodeKey(key);
  }

  function prepareMutation(mutation: Mutation): PreparedMutation {
    const key = prepareKey(mutation.key);
    const keyJson = JSON.stringify(mutation.key);
    size += keyJson.length + 8;
    if (mutation.type === "delete") return { type: "delete", key, keyJson };
    const { expiresAt } = mutation;
    if (mutation.type === "sum") {
      if (expiresAt !== undefined) checkExpiry(expiresAt);
      checkAmount(mutation.amount);
      return { type: "sum", key, keyJson, amount: mutation.amount, expiresAt };
    }
    checkGivenExpiry(mutation);
    checkText(mutation.value);
    size += mutation.value.length;
    return { type: "set", key, keyJson, text: mutation.value, expiresAt, expiresInMs: mutation.expiresInMs };
  }

  const preparedChecks = checks.map(({ key, value }) => {
    if (value !== undefined) checkText(value);
    return { key: prepareKey(key), text: value };
  });
  const preparedMutations = mutations.map(prepareMutation);
  return {
    partition,
    notify: readNotify(notify, partition),
    checks: preparedChecks,
    mutations: preparedMutations,
    size,
  };
}
