import { checkMutation } from "./check-mutation.ts";
import type { GivenExpiry } from "./expiry.ts";
import { readNotify } from "./merged-keys.ts";
import { refuseTakes, wrongPartition } from "./refusals.ts";
import { checkText } from "./text.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Commit, Key, Mutation } from "../port.ts";

/** A mutation. Its `key` is the encoded key, which sorts like the key. */
export type PreparedMutation = { readonly key: string } & (
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
 * @throws {StorageError} if the commit is invalid, or takes rows of an outbox
 */
export function prepareCommit(partition: string, commit: Commit): PreparedCommit {
  const { checks = [], mutations, notify } = commit;
  refuseTakes(commit);
  let size = 0;

  function prepareMutation(mutation: Mutation): PreparedMutation {
    checkMutation(mutation, partition);
    const key = encodeKey(mutation.key);
    size += key.length + 8;
    if (mutation.type === "delete") return { type: "delete", key };
    const { expiresAt } = mutation;
    if (mutation.type === "sum") return { type: "sum", key, amount: mutation.amount, expiresAt };
    size += mutation.value.length;
    return { type: "set", key, text: mutation.value, expiresAt, expiresInMs: mutation.expiresInMs };
  }

  const preparedChecks = checks.map(({ key, value }) => {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    if (value !== undefined) checkText(value);
    return { key: encodeKey(key), text: value };
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
