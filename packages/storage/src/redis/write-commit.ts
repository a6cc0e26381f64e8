import { checkMutation } from "../commit/check-mutation.ts";
import { wrongPartition } from "../commit/refusals.ts";
import { checkText } from "../commit/text.ts";
import { encodeKey } from "../keys/key-codec.ts";
import type { Check, Commit, Key, Mutation } from "../port.ts";
import type { ArgumentWriter } from "./argument-writer.ts";
import { commitNumbers } from "./scripts/commit-script.ts";
import { absentText, toStoredText } from "./stored-text.ts";

/**
 * Writes a commit in the format of the commit script.
 * Only the last of several mutations of a key counts, so most commits are plain lists. Keys with a `sum` or
 * `expiresInMs` are written as steps, which the script computes.
 *
 * @throws {StorageError} if the commit is invalid. The writer is rewound
 */
export function writeCommit(
  writer: ArgumentWriter,
  {
    partition,
    commit,
    notify,
  }: { readonly partition: string; readonly commit: Commit; readonly notify: readonly Key[] | undefined },
): void {
  const start = writer.mark();
  try {
    const { checks = [], mutations } = commit;
    const writeNumbers = writer.numbers(commitNumbers);
    writeChecks(writer, partition, checks);
    for (const mutation of mutations) checkMutation(mutation, partition);
    const counts = writeDistinct(writer, mutations) ?? writeMixed(writer, mutations);
    const { texts, empties, deletes, expiries, steps } = counts;
    // Without the outer brackets, because the script joins the keys of several commits.
    if (notify !== undefined) writer.text(JSON.stringify(notify).slice(1, -1));
    const notified = notify === undefined ? 0 : 1;
    writeNumbers([checks.length, texts, empties, deletes, expiries, steps, notified]);
  } catch (error) {
    writer.rewind(start);
    throw error;
  }
}

/** The number of each, in the order in which they are written. */
interface Counts {
  readonly texts: number;
  readonly empties: number;
  readonly deletes: number;
  readonly expiries: number;
  readonly steps: number;
}

function writeChecks(writer: ArgumentWriter, partition: string, checks: readonly Check[]): void {
  for (const { key } of checks) {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    writer.key(key);
  }
  for (const { value } of checks) {
    if (value === undefined) writer.text(absentText);
    else {
      checkText(value);
      writer.text(toStoredText(value, undefined));
    }
  }
}

/** Returns whether the row is only in the index. A row that expires is in the hash. */
export function isEmpty(mutation: Mutation): boolean {
  return (
    mutation.type === "set" &&
    mutation.value === "" &&
    mutation.expiresAt === undefined &&
    mutation.expiresInMs === undefined
  );
}

/** Returns whether only the script can compute the stored text. */
function isStep(mutation: Mutation | undefined): boolean {
  return mutation?.type === "sum" || (mutation?.type === "set" && mutation.expiresInMs !== undefined);
}

/**
 * Writes sets and deletes of distinct keys in one pass. Returns `undefined` without writing if there is a
 * step, or if a deleted or empty key may also be set. If two sets have one key, Redis keeps the last.
 */
function writeDistinct(writer: ArgumentWriter, mutations: readonly Mutation[]): Counts | undefined {
  if (mutations.some(isStep)) return undefined;
  const start = writer.mark();
  const hashes = new Set<number>();
  let areDistinct = true;
  const counts = writeLists(writer, mutations, (hash, isText) => {
    if (!isText && hashes.has(hash)) areDistinct = false;
    hashes.add(hash);
  });
  if (areDistinct) return { ...counts, steps: 0 };
  writer.rewind(start);
  return undefined;
}

function writeMixed(writer: ArgumentWriter, mutations: readonly Mutation[]): Counts {
  const encoded = mutations.map(({ key }) => encodeKey(key));
  const stepped = new Set(encoded.filter((_, index) => isStep(mutations[index])));
  const last = new Map<string, Mutation>();
  const steps: Mutation[] = [];
  mutations.forEach((mutation, index) => {
    const key = encoded[index] ?? "";
    if (stepped.has(key)) steps.push(mutation);
    else last.set(key, mutation);
  });
  const counts = writeLists(writer, [...last.values()], () => {});
  for (const step of steps) writeStep(writer, step);
  return { ...counts, steps: steps.length };
}

/** @param onKey receives the hash of each key that is set or deleted, and whether it is set to a text */
function writeLists(
  writer: ArgumentWriter,
  mutations: readonly Mutation[],
  onKey: (hash: number, isText: boolean) => void,
): Omit<Counts, "steps"> {
  let [texts, empties, deletes, expiries] = [0, 0, 0, 0];
  for (const mutation of mutations) {
    if (mutation.type !== "set" || isEmpty(mutation)) continue;
    onKey(writer.key(mutation.key), true);
    writer.text(toStoredText(mutation.value, mutation.expiresAt));
    texts += 1;
  }
  for (const mutation of mutations) {
    if (!isEmpty(mutation)) continue;
    onKey(writer.key(mutation.key), false);
    empties += 1;
  }
  for (const { type, key } of mutations) {
    if (type !== "delete") continue;
    onKey(writer.key(key), false);
    deletes += 1;
  }
  for (const mutation of mutations) {
    if (mutation.type !== "set" || mutation.expiresAt === undefined) continue;
    writer.text(String(mutation.expiresAt));
    writer.key(mutation.key);
    expiries += 1;
  }
  return { texts, empties, deletes, expiries };
}

/**
 * Writes the operation, the key, the text or amount, and the expiry: a time, `+` and milliseconds from now,
 * or "".
 */
function writeStep(writer: ArgumentWriter, mutation: Mutation): void {
  const { type } = mutation;
  writer.text(type);
  writer.key(mutation.key);
  writer.text(type === "set" ? mutation.value : type === "sum" ? String(mutation.amount) : "");
  if (type === "set" && mutation.expiresInMs !== undefined) writer.text(`+${mutation.expiresInMs}`);
  else writer.text(type === "delete" || mutation.expiresAt === undefined ? "" : String(mutation.expiresAt));
}
