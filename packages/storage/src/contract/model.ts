import type { StorageErrorCode } from "../storage-error.ts";
import type { Commit, CommitResult, Entry, Key, KeyPart, ListOptions } from "../port.ts";

interface ModelEntry extends Entry {
  readonly expiresAt: number | undefined;
}

/** The outcome of a commit: a result, or the code of its error. */
export type Outcome = CommitResult | { readonly refused: StorageErrorCode };

/** The semantics of a store on a plain sorted array: slow, but obviously correct. */
export interface Model {
  commit(commit: Commit, now: number): Outcome;
  get(key: Key, now: number): string | undefined;
  list(options: ListOptions, now: number): Entry[];
  clone(): Model;
}

export function createModel(initial: readonly ModelEntry[] = []): Model {
  let entries = [...initial];

  function find(from: readonly ModelEntry[], key: Key, now: number): ModelEntry | undefined {
    return from.find((entry) => compareKeys(entry.key, key) === 0 && (entry.expiresAt ?? Infinity) > now);
  }

  function without(from: readonly ModelEntry[], key: Key): ModelEntry[] {
    return from.filter((entry) => compareKeys(entry.key, key) !== 0);
  }

  return {
    commit({ checks = [], mutations }, now) {
      const failed = checks.find(({ key, value }) => find(entries, key, now)?.value !== value);
      if (failed !== undefined) return { ok: false, failed: failed.key };
      let next = [...entries];
      for (const mutation of mutations) {
        const { key } = mutation;
        const current = find(next, key, now);
        next = without(next, key);
        if (mutation.type === "set") {
          const { value, expiresInMs } = mutation;
          const expiresAt = expiresInMs === undefined ? mutation.expiresAt : now + expiresInMs;
          next.push({ key, value, expiresAt });
        }
        if (mutation.type === "sum") {
          const text = current?.value ?? "0";
          if (!/^(0|-?[1-9][0-9]*)$/.test(text) || !isSafe(BigInt(text))) return { refused: "invalid_sum" };
          const total = BigInt(text) + BigInt(mutation.amount);
          if (!isSafe(total)) return { refused: "invalid_sum" };
          next.push({ key, value: String(total), expiresAt: mutation.expiresAt ?? current?.expiresAt });
        }
      }
      entries = next.toSorted((left, right) => compareKeys(left.key, right.key));
      return { ok: true };
    },
    get: (key, now) => find(entries, key, now)?.value,
    list({ prefix, after, before, limit, reverse = false, groupBy = Infinity }, now) {
      const groupOf = (key: Key) => key.slice(0, prefix.length + groupBy);
      const found = entries
        .filter(
          ({ key, expiresAt }) =>
            key.length > prefix.length &&
            prefix.every((part, at) => Object.is(part, key[at])) &&
            (expiresAt ?? Infinity) > now,
        )
        .filter(({ key }) => after === undefined || compareKeys(groupOf(key), groupOf(after)) > 0)
        .filter(({ key }) => before === undefined || compareKeys(groupOf(key), groupOf(before)) < 0)
        .map(({ key, value }) => ({ key, value }));
      const ordered = reverse ? found.toReversed() : found;
      return ordered
        .filter(({ key }, index) => {
          const previous = ordered[index - 1];
          return previous === undefined || compareKeys(groupOf(key), groupOf(previous.key)) !== 0;
        })
        .slice(0, limit);
    },
    clone: () => createModel(entries),
  };
}

function isSafe(number: bigint): boolean {
  return number >= BigInt(Number.MIN_SAFE_INTEGER) && number <= BigInt(Number.MAX_SAFE_INTEGER);
}

/** Compares keys without any encoding. */
export function compareKeys(left: readonly KeyPart[], right: readonly KeyPart[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareParts(left[index] ?? 0, right[index] ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareParts(left: KeyPart, right: KeyPart): number {
  if (typeof left === "number") return typeof right === "number" ? left - right : -1;
  if (typeof right === "number") return 1;
  const leftPoints = Array.from(left, (character) => character.codePointAt(0) ?? 0);
  const rightPoints = Array.from(right, (character) => character.codePointAt(0) ?? 0);
  const differing = leftPoints.findIndex((point, index) => point !== rightPoints[index]);
  // Code points have the same order as their UTF-8 bytes.
  if (differing === -1) return leftPoints.length - rightPoints.length;
  return (leftPoints[differing] ?? 0) - (rightPoints[differing] ?? -1);
}
