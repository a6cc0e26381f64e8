import { checkAmount, checkExpiry } from "./expiry.ts";
import { wrongPartition } from "./refusals.ts";
import { checkText } from "./text.ts";
import { isWake, readWake } from "./woken-keys.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Commit, Key, Mutation } from "../port.ts";

/** The key of a check or mutation. */
export interface PreparedKey {
  /** Encoded, as rows are sorted. */
  readonly key: string;
  /** As JSON, for whoever writes it into a text. */
  readonly keyJson: string;
}

export type PreparedMutation = PreparedKey &
  (
    | { readonly type: "set"; readonly text: string; readonly expiresAt: number | undefined }
    | { readonly type: "delete" }
    | { readonly type: "sum"; readonly amount: number; readonly expiresAt: number | undefined }
  );

/** A commit that is valid in itself, copied: what its caller does to the arrays afterwards changes nothing. */
export interface PreparedCommit {
  readonly partition: string;
  readonly checks: readonly { readonly key: string; readonly text: string | undefined }[];
  readonly mutations: readonly PreparedMutation[];
  /** Keys only where there are some. */
  readonly wake: boolean | readonly Key[];
  /** Characters of its keys and texts, roughly what it takes in the log. */
  readonly size: number;
}

/**
 * Checks a commit for everything that can be told without looking at the store, and copies it.
 *
 * @throws {StorageError} what is wrong with the commit
 */
export function prepareCommit(
  partition: string,
  { checks = [], mutations, wake = false }: Commit,
): PreparedCommit {
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
    if (expiresAt !== undefined) checkExpiry(expiresAt);
    if (mutation.type === "sum") {
      checkAmount(mutation.amount);
      return { type: "sum", key, keyJson, amount: mutation.amount, expiresAt };
    }
    checkText(mutation.value);
    size += mutation.value.length;
    return { type: "set", key, keyJson, text: mutation.value, expiresAt };
  }

  const preparedChecks = checks.map(({ key, value }) => {
    if (value !== undefined) checkText(value);
    return { key: prepareKey(key), text: value };
  });
  const preparedMutations = mutations.map(prepareMutation);
  return {
    partition,
    wake: isWake(wake) && (readWake(wake, partition) ?? true),
    checks: preparedChecks,
    mutations: preparedMutations,
    size,
  };
}
