import { checkMutation } from "../commit/check-mutation.ts";
import { wrongPartition } from "../commit/refusals.ts";
import { checkText } from "../commit/text.ts";
import type { Check, Commit, Key, Mutation } from "../port.ts";
import { createDataBuffer, type DataBuffer, type Piece } from "./data-buffer.ts";

/** The kinds of mutations and the kinds of work of a step, as `apply_commits` knows them. */
const kinds = { set: 1, setExpiring: 2, setFor: 3, delete: 4, sum: 5, sumExpiring: 6 } as const;
export const work = { sums: 1, sets: 2, deletes: 4, oneByOne: 8 } as const;

/** Checks and mutations that `apply_commits` can do at once, in its format. */
export interface Step {
  /** Five numbers for each check. */
  readonly checks: number[];
  /** Six numbers for each mutation. */
  readonly mutations: number[];
  readonly amounts: number[];
  readonly expiries: (number | undefined)[];
  work: number;
}

/** Commits of one partition, encoded when they arrive. It does not refer to the caller's arrays. */
export interface CommitWriter {
  /**
   * Adds a commit. Its number is that of the commits before it.
   *
   * @throws {StorageError} if the commit is invalid. Nothing is added then
   */
  add(commit: Commit): void;
  readonly steps: readonly Step[];
  readonly data: DataBuffer;
}

interface UsedKey extends Piece {
  /** An earlier key with the same hash. */
  readonly next: UsedKey | undefined;
  /** The last step that checks the key, and the last one that writes it. -1: none. */
  checkedIn: number;
  writtenIn: number;
  /** The last commit that writes it, which mutation does, and whether one of them is a sum. */
  lastCommit: number;
  lastMutation: number;
  hasSum: boolean;
}

interface Checked {
  readonly key: UsedKey;
  readonly text: Piece;
}

interface Write {
  readonly key: UsedKey;
  readonly mutation: Mutation;
  readonly text: Piece;
}

const noText: Piece = { start: 0, length: 0 };
const absent: Piece = { start: 0, length: -1 };

/**
 * Arranges commits in as few steps as possible. The result is as if they ran one after the other: a commit comes at least
 * one step after the commits that write its keys, and not before those that check what it writes.
 */
export function createCommitWriter(partition: string): CommitWriter {
  const data = createDataBuffer();
  /** By their hash: as a key of a map, V8 would intern each text, which takes longer than everything else here. */
  const keys = new Map<number, UsedKey>();
  const steps: Step[] = [];
  let commits = 0;

  function use(key: Key): UsedKey {
    const piece = data.addKey(key);
    const hash = data.hashOf(piece);
    const first = keys.get(hash);
    for (let known = first; known !== undefined; known = known.next)
      if (data.areEqual(known, piece)) {
        data.rewind(piece.start);
        return known;
      }
    const { start, length } = piece;
    const used: UsedKey = {
      start,
      length,
      next: first,
      checkedIn: -1,
      writtenIn: -1,
      lastCommit: -1,
      lastMutation: -1,
      hasSum: false,
    };
    keys.set(hash, used);
    return used;
  }

  function readCheck({ key, value }: Check): Checked {
    if (key[0] !== partition) throw wrongPartition(key, partition);
    if (value !== undefined) checkText(value);
    return { key: use(key), text: value === undefined ? absent : data.addText(value) };
  }

  function readMutation(mutation: Mutation): Write {
    checkMutation(mutation, partition);
    const key = use(mutation.key);
    const text = mutation.type === "set" ? data.addText(mutation.value) : noText;
    return { key, mutation, text };
  }

  /** Discards an invalid commit. */
  function rewind(byteLength: number): void {
    for (const [hash, first] of keys) {
      let kept: UsedKey | undefined = first;
      while (kept !== undefined && kept.start >= byteLength) kept = kept.next;
      if (kept === undefined) keys.delete(hash);
      else keys.set(hash, kept);
    }
    data.rewind(byteLength);
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
    for (const [index, { key, mutation }] of writes.entries()) {
      const isAgain = key.lastCommit === commits;
      key.hasSum = (isAgain && key.hasSum) || mutation.type === "sum";
      if (isAgain) isRepeated = true;
      if (isAgain && key.hasSum) isOneByOne = true;
      key.lastCommit = commits;
      key.lastMutation = index;
    }
    const isLast = ({ key }: Write, index: number): boolean => key.lastMutation === index;
    return { written: isRepeated && !isOneByOne ? writes.filter(isLast) : writes, isOneByOne };
  }

  function arrange(checked: readonly Checked[], mutations: readonly Write[]): void {
    const { written, isOneByOne } = lastOfEachKey(mutations);
    let number = isOneByOne ? steps.length : 0;
    for (const { key } of checked) number = Math.max(number, key.writtenIn + 1);
    for (const { key } of written) number = Math.max(number, key.writtenIn + 1, key.checkedIn);
    while (steps[number]?.work === work.oneByOne) number += 1;
    const step = (steps[number] ??= {
      checks: [],
      mutations: [],
      amounts: [],
      expiries: [],
      work: isOneByOne ? work.oneByOne : 0,
    });
    for (const { key, text } of checked) {
      key.checkedIn = Math.max(key.checkedIn, number);
      step.checks.push(commits, key.start, key.length, text.start, text.length);
    }
    for (const { key, mutation, text } of written) {
      key.writtenIn = number;
      step.mutations.push(commits, kindOf(mutation), key.start, key.length, text.start, text.length);
      step.amounts.push(mutation.type === "sum" ? mutation.amount : 0);
      step.expiries.push(expiryOf(mutation));
      if (!isOneByOne) step.work |= workOf(mutation);
    }
  }

  return {
    add({ checks = [], mutations }) {
      const before = data.byteLength();
      try {
        arrange(checks.map(readCheck), mutations.map(readMutation));
      } catch (error) {
        rewind(before);
        throw error;
      }
      commits += 1;
    },
    steps,
    data,
  };
}

function workOf({ type }: Mutation): number {
  if (type === "sum") return work.sums;
  return type === "set" ? work.sets : work.deletes;
}

function kindOf(mutation: Mutation): number {
  if (mutation.type === "delete") return kinds.delete;
  if (mutation.type === "sum") return mutation.expiresAt === undefined ? kinds.sum : kinds.sumExpiring;
  if (mutation.expiresInMs !== undefined) return kinds.setFor;
  return mutation.expiresAt === undefined ? kinds.set : kinds.setExpiring;
}

function expiryOf(mutation: Mutation): number | undefined {
  if (mutation.type === "delete") return undefined;
  return mutation.type === "set" ? (mutation.expiresInMs ?? mutation.expiresAt) : mutation.expiresAt;
}
