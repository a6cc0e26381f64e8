import { checkMutation } from "./check-mutation.ts";
import type { GivenExpiry } from "./expiry.ts";
import { readNotify } from "./merged-keys.ts";
import { refuseTakes, wrongPartition } from "./refusals.ts";
import { checkText } from "./text.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Commit, Key, Mutation } from "../port.ts";
import { StorageError } from "../storage-error.ts";

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
  /** Ids of rows of the outbox. */
  readonly takes: readonly string[];
  /** The number of characters of its keys and texts: about its size in the log. */
  readonly size: number;
}

/**
 * Validates a commit without reading the store, and copies it.
 *
 * @param options.hasOutbox whether the store supports {@link Commit.takes}. @default false
 * @throws {StorageError} if the commit is invalid
 */
export function prepareCommit(
  partition: string,
  commit: Commit,
  options: { readonly hasOutbox?: boolean | undefined } = {},
): PreparedCommit {
  const { checks = [], mutations, notify, takes = [] } = commit;
  if (options.hasOutbox !== true) refuseTakes(commit);
  for (const id of takes) checkRowId(id);
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
    takes: [...takes],
    size,
  };
}

/** The id of a row of an outbox: a decimal integer of 64 bits. */
function checkRowId(id: string): void {
  if (typeof id === "string" && /^-?\d{1,19}$/u.test(id)) return;
  throw new StorageError(
    "invalid_argument",
    `takes must be ids of rows of the outbox, such as "17", not ${JSON.stringify(id) ?? typeof id}.`,
  );
}
