import type { PreparedCommit, PreparedMutation } from "../commit/prepare-commit.ts";
import { createDataBuffer, type DataBuffer, type Piece } from "./data-buffer.ts";
import type { Parameter } from "./statement.ts";

/** The kinds of mutations and the kinds of work of a step, as `apply_commits` knows them. */
const kinds = { set: 1, setExpiring: 2, setFor: 3, delete: 4, sum: 5, sumExpiring: 6 } as const;
const work = { sums: 1, sets: 2, deletes: 4, oneByOne: 8 } as const;

interface UsedKey extends Piece {
  readonly key: string;
  /** The last step that checks the key, and the last one that writes it. -1: none. */
  checkedIn: number;
  writtenIn: number;
  /** Its last mutation so far, and the commit of that. */
  last: Write | undefined;
}

interface Write {
  readonly commit: number;
  readonly key: UsedKey;
  readonly mutation: PreparedMutation;
}

interface Step {
  readonly checks: { readonly commit: number; readonly key: UsedKey; readonly text: string | undefined }[];
  readonly mutations: Write[];
  work: number;
}

/** Commits as the parameters of `apply_commits`. */
export interface CommitParameters {
  /** The parameters from `locks` to `expiries`. */
  readonly parameters: readonly Parameter[];
  /** The encoded key of each check and of each mutation, by the indexes that `apply_commits` returns. */
  readonly checkKeys: readonly string[];
  readonly mutationKeys: readonly string[];
}

/**
 * Arranges commits in as few steps as possible. The result is as if they ran one after the other: a commit comes at least
 * one step after the commits that write its keys, and not before those that check what it writes.
 */
export function toCommitParameters(commits: readonly PreparedCommit[]): CommitParameters {
  const data = createDataBuffer();
  const keys = new Map<string, UsedKey>();
  const steps: Step[] = [];

  function use(key: string): UsedKey {
    let used = keys.get(key);
    if (used === undefined) {
      used = { ...data.addKey(key), key, checkedIn: -1, writtenIn: -1, last: undefined };
      keys.set(key, used);
    }
    return used;
  }

  for (const [commit, { checks, mutations }] of commits.entries()) {
    const checked = checks.map(({ key, text }) => ({ commit, key: use(key), text }));
    const { written, isOneByOne } = lastOfEachKey(
      mutations.map((mutation) => ({ commit, key: use(mutation.key), mutation })),
    );
    let number = isOneByOne ? steps.length : 0;
    for (const { key } of checked) number = Math.max(number, key.writtenIn + 1);
    for (const { key } of written) number = Math.max(number, key.writtenIn + 1, key.checkedIn);
    while (steps[number] !== undefined && steps[number]?.work === work.oneByOne) number += 1;
    const step = (steps[number] ??= { checks: [], mutations: [], work: isOneByOne ? work.oneByOne : 0 });
    for (const one of checked) {
      one.key.checkedIn = Math.max(one.key.checkedIn, number);
      step.checks.push(one);
    }
    for (const one of written) {
      one.key.writtenIn = number;
      step.mutations.push(one);
      if (!isOneByOne) step.work |= workOf(one.mutation);
    }
  }
  const locks = [...new Set(commits.map(({ partition }) => Number(partition.slice(1))))];
  return toParameters(
    steps,
    data,
    locks.toSorted((one, other) => one - other),
  );
}

/**
 * Without sums, the last mutation of a key decides. A sum needs the result of the earlier ones, so a commit that writes a
 * summed key several times runs one by one.
 */
function lastOfEachKey(writes: readonly Write[]): {
  readonly written: readonly Write[];
  readonly isOneByOne: boolean;
} {
  let isRepeated = false;
  let isOneByOne = false;
  for (const write of writes) {
    const { last } = write.key;
    if (last?.commit === write.commit) {
      isRepeated = true;
      if (last.mutation.type === "sum" || write.mutation.type === "sum") isOneByOne = true;
    }
    write.key.last = write;
  }
  const isKept = (write: Write): boolean => write.key.last === write;
  return { written: isRepeated && !isOneByOne ? writes.filter(isKept) : writes, isOneByOne };
}

function workOf({ type }: PreparedMutation): number {
  if (type === "sum") return work.sums;
  return type === "set" ? work.sets : work.deletes;
}

function toParameters(steps: readonly Step[], data: DataBuffer, locks: readonly number[]): CommitParameters {
  const ends: number[] = [];
  const checks: number[] = [];
  const mutations: number[] = [];
  const amounts: number[] = [];
  const expiries: (number | "NULL")[] = [];
  const checkKeys: string[] = [];
  const mutationKeys: string[] = [];
  for (const step of steps) {
    for (const { commit, key, text } of step.checks) {
      const piece = text === undefined ? { start: 0, length: -1 } : data.addText(text);
      checks.push(commit, key.start, key.length, piece.start, piece.length);
      checkKeys.push(key.key);
    }
    for (const { commit, key, mutation } of step.mutations) {
      const piece = mutation.type === "set" ? data.addText(mutation.text) : { start: 0, length: 0 };
      mutations.push(commit, kindOf(mutation), key.start, key.length, piece.start, piece.length);
      amounts.push(mutation.type === "sum" ? mutation.amount : 0);
      expiries.push(expiryOf(mutation) ?? "NULL");
      mutationKeys.push(key.key);
    }
    ends.push(checkKeys.length, mutationKeys.length, step.work);
  }
  return {
    parameters: [
      toArray(locks),
      data.bytes(),
      toArray(ends),
      toArray(checks),
      toArray(mutations),
      toArray(amounts),
      toArray(expiries),
    ],
    checkKeys,
    mutationKeys,
  };
}

function kindOf(mutation: PreparedMutation): number {
  if (mutation.type === "delete") return kinds.delete;
  if (mutation.type === "sum") return mutation.expiresAt === undefined ? kinds.sum : kinds.sumExpiring;
  if (mutation.expiresInMs !== undefined) return kinds.setFor;
  return mutation.expiresAt === undefined ? kinds.set : kinds.setExpiring;
}

function expiryOf(mutation: PreparedMutation): number | undefined {
  if (mutation.type === "delete") return undefined;
  return mutation.type === "set" ? (mutation.expiresInMs ?? mutation.expiresAt) : mutation.expiresAt;
}

/** An array in the text format of PostgreSQL. */
export function toArray(values: readonly (number | "NULL")[]): string {
  return `{${values.join(",")}}`;
}
