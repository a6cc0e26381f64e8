import { decodeKey } from "../keys/key-codec.ts";
import type { Key } from "../port.ts";
import { toBinaryArray } from "./binary-array.ts";
import { work, type CommitWriter, type Step } from "./commit-writer.ts";
import type { Parameter } from "./statement.ts";

/** Commits as the parameters of `apply_commits`. */
export interface CommitParameters {
  /** The parameters from `locks` to `expiries`. */
  readonly parameters: readonly Parameter[];
  /** The key of a check or a mutation, by the index that `apply_commits` returns. */
  checkedKey(index: number): Key;
  mutatedKey(index: number): Key;
}

/** Encoded commits of a partition. */
export interface EncodedCommits {
  readonly partition: string;
  readonly writer: CommitWriter;
  /** The number of its first commit. */
  readonly first: number;
  /** Those of its commits that are left out. */
  readonly refused: ReadonlySet<number>;
}

/** Merges the commits of several partitions, which have no keys in common. */
export function toCommitParameters(batches: readonly EncodedCommits[]): CommitParameters {
  const ends: number[] = [];
  const checks: number[] = [];
  const mutations: number[] = [];
  const amounts: number[] = [];
  const expiries: (number | undefined)[] = [];
  const pieces: Buffer[] = [];
  const starts = new Map<EncodedCommits, number>();
  let byteLength = 0;
  for (const batch of batches) {
    starts.set(batch, byteLength);
    pieces.push(batch.writer.data.bytes());
    byteLength += batch.writer.data.byteLength();
  }
  const [only] = pieces;
  const data = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);

  function add(batch: EncodedCommits, step: Step): void {
    const { first, refused } = batch;
    const start = starts.get(batch) ?? 0;
    const at = (list: readonly number[], index: number): number => list[index] ?? 0;
    for (let index = 0; index < step.checks.length; index += 5) {
      const commit = at(step.checks, index);
      if (refused.has(commit)) continue;
      checks.push(first + commit, start + at(step.checks, index + 1), at(step.checks, index + 2));
      checks.push(start + at(step.checks, index + 3), at(step.checks, index + 4));
    }
    for (let index = 0; index < step.mutations.length; index += 6) {
      const commit = at(step.mutations, index);
      if (refused.has(commit)) continue;
      mutations.push(first + commit, at(step.mutations, index + 1));
      mutations.push(start + at(step.mutations, index + 2), at(step.mutations, index + 3));
      mutations.push(start + at(step.mutations, index + 4), at(step.mutations, index + 5));
      amounts.push(at(step.amounts, index / 6));
      expiries.push(step.expiries[index / 6]);
    }
  }

  const end = (of: number): void => void ends.push(checks.length / 5, mutations.length / 6, of);
  const levels = Math.max(0, ...batches.map(({ writer }) => writer.steps.length));
  for (let level = 0; level < levels; level++) {
    let together = 0;
    for (const batch of batches) {
      const step = batch.writer.steps[level];
      if (step === undefined || step.work === work.oneByOne) continue;
      add(batch, step);
      together |= step.work;
    }
    end(together);
    for (const batch of batches) {
      const step = batch.writer.steps[level];
      if (step?.work !== work.oneByOne) continue;
      add(batch, step);
      end(work.oneByOne);
    }
  }
  const keyAt = (start = 0, length = 0): Key => decodeKey(data.toString("latin1", start, start + length));
  const locks = batches.map(({ partition }) => Number(partition.slice(1)));
  return {
    parameters: [
      toBinaryArray(
        "int4",
        locks.toSorted((one, other) => one - other),
      ),
      data,
      toBinaryArray("int4", ends),
      toBinaryArray("int4", checks),
      toBinaryArray("int4", mutations),
      toBinaryArray("int8", amounts),
      toBinaryArray("float8", expiries),
    ],
    checkedKey: (index) => keyAt(checks[index * 5 + 1], checks[index * 5 + 2]),
    mutatedKey: (index) => keyAt(mutations[index * 6 + 2], mutations[index * 6 + 3]),
  };
}
