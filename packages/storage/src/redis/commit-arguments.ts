import { checkAmount, checkExpiry } from "../commit/expiry.ts";
import { checkPartition, wrongPartition } from "../commit/refusals.ts";
import { checkText } from "../commit/text.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Commit, Key, Mutation } from "../port.ts";
import { toStoredText } from "./stored-text.ts";

/** A commit as the commit script reads it, and what is needed to name what it refuses. */
export interface CommitArguments {
  readonly values: readonly string[];
  /** Keys of the checks, in order. */
  readonly checked: readonly Key[];
  /** Keys of the steps, in order. */
  readonly stepped: readonly Key[];
}

/**
 * Writes a commit out, taking it as it is now. Of several mutations of one key only the last counts, so most commits become
 * plain lists of what to set and what to delete; keys with a sum among their mutations go as steps, worked out by the script.
 *
 * @throws {StorageError} for whatever cannot be stored; nothing has been sent then
 */
export function toCommitArguments(partition: string, commit: Commit): CommitArguments {
  checkPartition(partition);
  const { checks = [], mutations, wake = false } = commit;
  const checked: Key[] = [];
  const checkKeys: string[] = [];
  const expectations: string[] = [];
  for (const { key, value } of checks) {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    if (value !== undefined) checkText(value);
    checkKeys.push(encodeKey(key));
    expectations.push(value === undefined ? "" : `=${value}`);
    checked.push([...key]);
  }
  const encoded = mutations.map((mutation) => encodeMutation(partition, mutation));
  const summed = new Set<string>();
  mutations.forEach(({ type }, index) => {
    if (type === "sum") summed.add(encoded[index] ?? "");
  });
  const last = new Map<string, Mutation>();
  const steps: string[] = [];
  const stepped: Key[] = [];
  mutations.forEach((mutation, index) => {
    const key = encoded[index] ?? "";
    if (!summed.has(key)) {
      last.set(key, mutation);
      return;
    }
    steps.push(...toStep(key, mutation));
    stepped.push([...mutation.key]);
  });
  const sets: string[] = [];
  const deletes: string[] = [];
  const expiries: string[] = [];
  for (const [key, mutation] of last) {
    if (mutation.type !== "set") deletes.push(key);
    else {
      sets.push(key, toStoredText(mutation.value, mutation.expiresAt));
      if (mutation.expiresAt !== undefined) expiries.push(String(mutation.expiresAt), key);
    }
  }
  const counts = [checkKeys.length, sets.length / 2, deletes.length, expiries.length / 2, stepped.length];
  const values = [...counts.map(String), wake ? "1" : "0"];
  for (const part of [checkKeys, expectations, sets, deletes, expiries, steps])
    for (const value of part) values.push(value);
  return { values, checked, stepped };
}

function encodeMutation(partition: string, mutation: Mutation): string {
  if (mutation.key[0] !== partition) throw wrongPartition(mutation.key, partition);
  if (mutation.type === "set") checkText(mutation.value);
  else if (mutation.type === "sum") checkAmount(mutation.amount);
  if (mutation.type !== "delete" && mutation.expiresAt !== undefined) checkExpiry(mutation.expiresAt);
  return encodeKey(mutation.key);
}

function toStep(key: string, mutation: Mutation): [string, string, string, string] {
  if (mutation.type === "delete") return ["d", key, "", ""];
  const expires = mutation.expiresAt === undefined ? "" : String(mutation.expiresAt);
  return mutation.type === "set"
    ? ["s", key, mutation.value, expires]
    : ["i", key, String(mutation.amount), expires];
}
