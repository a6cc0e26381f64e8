import { checkAmount, checkExpiry } from "../commit/expiry.ts";
import { wrongPartition } from "../commit/refusals.ts";
import { isWake } from "../commit/woken-keys.ts";
import { checkText } from "../commit/text.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Check, Commit, Key, Mutation } from "../port.ts";
import type { ArgumentWriter } from "./argument-writer.ts";
import { emptyMarkOf, markField } from "./empty-marks.ts";
import { commitNumbers } from "./scripts/commit-script.ts";
import { absentText, toStoredText } from "./stored-text.ts";

/**
 * Writes a commit as the commit script reads it: eight numbers, keys to check, marks to look at, what each key must hold, pairs to
 * set, keys to set to the empty text, keys to delete, expiries, steps. Of several mutations of one key only the last counts, so most
 * commits become plain lists; keys with a sum among their mutations go as steps, worked out by the script.
 *
 * @param marks is given those of the kinds of key that may be set to the empty text
 * @throws {StorageError} for whatever cannot be stored; what was written by then is taken back
 */
export function writeCommit(
  writer: ArgumentWriter,
  marks: Set<number>,
  { partition, commit }: { readonly partition: string; readonly commit: Commit },
): void {
  const start = writer.mark();
  try {
    const { checks = [], mutations, wake } = commit;
    const writeNumbers = writer.numbers(commitNumbers);
    const kinds = writeChecks(writer, partition, checks);
    for (const mutation of mutations) {
      checkMutation(partition, mutation);
      if (isEmpty(mutation)) marks.add(emptyMarkOf(mutation.key));
    }
    const counts = writeApart(writer, mutations) ?? writeMixed(writer, mutations);
    const { texts, empties, deletes, expiries, steps } = counts;
    writeNumbers([checks.length, kinds, texts, empties, deletes, expiries, steps, isWake(wake) ? 1 : 0]);
  } catch (error) {
    writer.rewind(start);
    throw error;
  }
}

/** How many there are of each, in the order in which they are written. */
interface Counts {
  readonly texts: number;
  readonly empties: number;
  readonly deletes: number;
  readonly expiries: number;
  readonly steps: number;
}

function checkMutation(partition: string, mutation: Mutation): void {
  if (mutation.key[0] !== partition) throw wrongPartition(mutation.key, partition);
  if (mutation.type === "set") checkText(mutation.value);
  else if (mutation.type === "sum") checkAmount(mutation.amount);
  if (mutation.type !== "delete" && mutation.expiresAt !== undefined) checkExpiry(mutation.expiresAt);
}

/** Answers how many marks there are: of the kinds of key that must be absent. */
function writeChecks(writer: ArgumentWriter, partition: string, checks: readonly Check[]): number {
  const kinds = new Set<number>();
  for (const { key, value } of checks) {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    writer.key(key);
    if (value === undefined) kinds.add(emptyMarkOf(key));
  }
  for (const mark of kinds) writer.text(markField(mark));
  for (const { value } of checks) {
    if (value === undefined) writer.text(absentText);
    else {
      checkText(value);
      writer.text(toStoredText(value, undefined));
    }
  }
  return kinds.size;
}

/** Whether the row has no place in the hash: one that expires has its expiry there. */
function isEmpty(mutation: Mutation): boolean {
  return mutation.type === "set" && mutation.value === "" && mutation.expiresAt === undefined;
}

/**
 * Sets and deletes of different keys, in one pass. Answers nothing where that is not what they are, and writes nothing: where there
 * is a sum among them, or where a key that is deleted or set to the empty text may be one that is set. (Where two set one key, Redis
 * keeps the last by itself.)
 */
function writeApart(writer: ArgumentWriter, mutations: readonly Mutation[]): Counts | undefined {
  if (mutations.some(({ type }) => type === "sum")) return undefined;
  const start = writer.mark();
  const hashes = new Set<number>();
  let areApart = true;
  const writeOther = (key: Key): void => {
    const hash = writer.key(key);
    if (hashes.has(hash)) areApart = false;
    hashes.add(hash);
  };
  const texts = countWritten(mutations, (mutation) => {
    if (mutation.type !== "set" || isEmpty(mutation)) return false;
    hashes.add(writer.key(mutation.key));
    writer.text(toStoredText(mutation.value, mutation.expiresAt));
    return true;
  });
  const empties = countWritten(mutations, (mutation) => {
    if (!isEmpty(mutation)) return false;
    writeOther(mutation.key);
    return true;
  });
  const deletes = countWritten(mutations, (mutation) => {
    if (mutation.type !== "delete") return false;
    writeOther(mutation.key);
    return true;
  });
  const expiries = countWritten(mutations, (mutation) => {
    if (mutation.type !== "set" || mutation.expiresAt === undefined) return false;
    writer.text(String(mutation.expiresAt));
    writer.key(mutation.key);
    return true;
  });
  if (areApart) return { texts, empties, deletes, expiries, steps: 0 };
  writer.rewind(start);
  return undefined;
}

function writeMixed(writer: ArgumentWriter, mutations: readonly Mutation[]): Counts {
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
  return {
    texts: countWritten(last, ([key, mutation]) => {
      if (mutation.type !== "set" || isEmpty(mutation)) return false;
      writer.encodedKey(key);
      writer.text(toStoredText(mutation.value, mutation.expiresAt));
      return true;
    }),
    empties: countWritten(last, ([key, mutation]) => {
      if (!isEmpty(mutation)) return false;
      writer.encodedKey(key);
      return true;
    }),
    deletes: countWritten(last, ([key, mutation]) => {
      if (mutation.type !== "delete") return false;
      writer.encodedKey(key);
      return true;
    }),
    expiries: countWritten(last, ([key, mutation]) => {
      if (mutation.type !== "set" || mutation.expiresAt === undefined) return false;
      writer.text(String(mutation.expiresAt));
      writer.encodedKey(key);
      return true;
    }),
    steps: countWritten(mutations.entries(), ([index, mutation]) => {
      const key = encoded[index] ?? "";
      if (!summed.has(key)) return false;
      writeStep(writer, key, mutation);
      return true;
    }),
  };
}

/** How many of the items `write` says it has written. */
function countWritten<Item>(items: Iterable<Item>, write: (item: Item) => boolean): number {
  let count = 0;
  for (const item of items) if (write(item)) count += 1;
  return count;
}

/** The operation, the key, the text or amount, the expiry or "". */
function writeStep(writer: ArgumentWriter, key: string, mutation: Mutation): void {
  writer.text(mutation.type);
  writer.encodedKey(key);
  const { type } = mutation;
  writer.text(type === "set" ? mutation.value : type === "sum" ? String(mutation.amount) : "");
  writer.text(type === "delete" || mutation.expiresAt === undefined ? "" : String(mutation.expiresAt));
}
