import { checkAmount, checkExpiry } from "../commit/expiry.ts";
import { wrongPartition } from "../commit/refusals.ts";
import { checkText } from "../commit/text.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Check, Commit, Key, Mutation } from "../port.ts";
import { emptyMarkOf } from "./empty-marks.ts";
import type { PackedValues } from "./packed-values.ts";
import { toStoredText } from "./stored-text.ts";

/**
 * Writes a commit as the commit script reads it: keys to check, what each must hold (the text, or no), pairs to set, keys to set to
 * the empty text, keys to delete, expiries, steps, and "1" to wake. Of several mutations of one key only the last counts, so most
 * commits become plain lists; keys with a sum among their mutations go as steps, worked out by the script.
 *
 * @param marks is given those of the kinds of key that may be set to the empty text
 * @throws {StorageError} for whatever cannot be stored; what was written by then is taken back
 */
export function packCommit(
  values: PackedValues,
  marks: Set<number>,
  { partition, commit }: { readonly partition: string; readonly commit: Commit },
): void {
  const start = values.length;
  try {
    const { checks = [], mutations, wake = false } = commit;
    const close = values.array();
    packChecks(values, partition, checks);
    for (const mutation of mutations) {
      checkMutation(partition, mutation);
      if (isEmpty(mutation)) marks.add(emptyMarkOf(mutation.key));
    }
    if (!packApart(values, mutations)) packMixed(values, mutations);
    values.text(wake ? "1" : "");
    close(8);
  } catch (error) {
    values.truncate(start);
    throw error;
  }
}

function checkMutation(partition: string, mutation: Mutation): void {
  if (mutation.key[0] !== partition) throw wrongPartition(mutation.key, partition);
  if (mutation.type === "set") checkText(mutation.value);
  else if (mutation.type === "sum") checkAmount(mutation.amount);
  if (mutation.type !== "delete" && mutation.expiresAt !== undefined) checkExpiry(mutation.expiresAt);
}

function packChecks(values: PackedValues, partition: string, checks: readonly Check[]): void {
  const closeKeys = values.array();
  for (const { key } of checks) {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    values.key(key);
  }
  closeKeys(checks.length);
  const closeTexts = values.array();
  for (const { value } of checks) {
    if (value === undefined) values.no();
    else {
      checkText(value);
      values.text(value);
    }
  }
  closeTexts(checks.length);
}

/** Whether the row has no place in the hash: one that expires has its expiry there. */
function isEmpty(mutation: Mutation): boolean {
  return mutation.type === "set" && mutation.value === "" && mutation.expiresAt === undefined;
}

/**
 * Sets and deletes of different keys, in one pass. Answers whether that is what they are: nothing is written where there is a sum
 * among them, or where a key that is deleted or set to the empty text may be one that is set. (Where two set one key, Redis keeps the
 * last by itself.)
 */
function packApart(values: PackedValues, mutations: readonly Mutation[]): boolean {
  if (mutations.some(({ type }) => type === "sum")) return false;
  const start = values.length;
  const hashes = new Set<number>();
  let areApart = true;
  const packOther = (key: Key): void => {
    const hash = values.key(key);
    if (hashes.has(hash)) areApart = false;
    hashes.add(hash);
  };
  pack(values, mutations, (mutation) => {
    if (mutation.type !== "set" || isEmpty(mutation)) return 0;
    hashes.add(values.key(mutation.key));
    values.text(toStoredText(mutation.value, mutation.expiresAt));
    return 2;
  });
  pack(values, mutations, (mutation) => {
    if (!isEmpty(mutation)) return 0;
    packOther(mutation.key);
    return 1;
  });
  pack(values, mutations, (mutation) => {
    if (mutation.type !== "delete") return 0;
    packOther(mutation.key);
    return 1;
  });
  pack(values, mutations, (mutation) => {
    if (mutation.type !== "set" || mutation.expiresAt === undefined) return 0;
    values.text(String(mutation.expiresAt));
    values.key(mutation.key);
    return 2;
  });
  values.array()(0);
  if (!areApart) values.truncate(start);
  return areApart;
}

function packMixed(values: PackedValues, mutations: readonly Mutation[]): void {
  const encoded = mutations.map(({ key }) => encodeKey(key));
  const summed = new Set<string>();
  mutations.forEach(({ type }, index) => {
    if (type === "sum") summed.add(encoded[index] ?? "");
  });
  const last = new Map<string, Mutation>();
  mutations.forEach((mutation, index) => {
    const key = encoded[index] ?? "";
    if (!summed.has(key)) last.set(key, mutation);
  });
  pack(values, last, ([key, mutation]) => {
    if (mutation.type !== "set" || isEmpty(mutation)) return 0;
    values.encodedKey(key);
    values.text(toStoredText(mutation.value, mutation.expiresAt));
    return 2;
  });
  pack(values, last, ([key, mutation]) => {
    if (!isEmpty(mutation)) return 0;
    values.encodedKey(key);
    return 1;
  });
  pack(values, last, ([key, mutation]) => {
    if (mutation.type !== "delete") return 0;
    values.encodedKey(key);
    return 1;
  });
  pack(values, last, ([key, mutation]) => {
    if (mutation.type !== "set" || mutation.expiresAt === undefined) return 0;
    values.text(String(mutation.expiresAt));
    values.encodedKey(key);
    return 2;
  });
  pack(values, mutations.entries(), ([index, mutation]) => {
    const key = encoded[index] ?? "";
    if (!summed.has(key)) return 0;
    packStep(values, key, mutation);
    return 4;
  });
}

/** An array of what `write` writes; it answers how many values that were. */
function pack<Item>(values: PackedValues, items: Iterable<Item>, write: (item: Item) => number): void {
  const close = values.array();
  let count = 0;
  for (const item of items) count += write(item);
  close(count);
}

/** The operation, the key, the text or amount, the expiry or "". */
function packStep(values: PackedValues, key: string, mutation: Mutation): void {
  values.text(mutation.type);
  values.encodedKey(key);
  const { type } = mutation;
  values.text(type === "set" ? mutation.value : type === "sum" ? String(mutation.amount) : "");
  values.text(type === "delete" || mutation.expiresAt === undefined ? "" : String(mutation.expiresAt));
}
