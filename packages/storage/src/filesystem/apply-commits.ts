import { isExpired, toSweepTime } from "../commit/expiry.ts";
import { addToCounter, type Held } from "../commit/counter.ts";
import { maximumKeyBytes } from "../keys/key-bytes.ts";
import { commitHeaderBytes, mutationTypes } from "./commit-buffer.ts";
import { expiryHeaderBytes, expiryMark, storedExpiry } from "./stored-text.ts";

/** The operations that the writer needs inside a write transaction. */
export interface WriteTransaction {
  /** Returns the bytes under a key. They are valid until the next call. */
  getBinaryFast(key: Uint8Array): Uint8Array | undefined;
  put(key: Uint8Array, value: Uint8Array): unknown;
  remove(key: Uint8Array): unknown;
}

/** Commits in the format of `CommitBuffer`. */
export interface CommitGroup {
  readonly bytes: ArrayBuffer;
  readonly length: number;
  /** The time of the store's own clock, ms since the epoch. `undefined`: the clock of the machine. */
  readonly now: number | undefined;
}

/**
 * A rejected commit: its index among all commits of the groups, the reason, and the encoded key of the check
 * or sum.
 */
export interface Refusal {
  readonly commit: number;
  readonly kind: "check" | "not_an_integer" | "out_of_range";
  readonly key: string;
}

/** Expiry index keys: this byte, which no key of a store begins with, then a u64 sweep time, then the key. */
export const expiryIndexTag = 0x65;
export const expiryIndexHeaderBytes = 9;

/** Applies groups of commits in order and returns the rejected ones. A rejected commit writes nothing. */
export function applyCommits(transaction: WriteTransaction, groups: readonly CommitGroup[]): Refusal[] {
  const refusals: Refusal[] = [];
  let commit = 0;
  // Read inside the transaction, because it may have waited for the disk or for another process.
  const time = Date.now();
  for (const { bytes, length, now = time } of groups) {
    const reader = createReader(bytes);
    for (let position = 0; position < length; commit++) {
      const next = position + reader.uint32(position);
      const refusal = applyCommit(transaction, reader, position, now);
      if (refusal !== undefined) refusals.push({ commit, ...refusal });
      position = next;
    }
  }
  return refusals;
}

/** Returns the number of mutations in all commits of the groups. */
export function countMutations(groups: readonly CommitGroup[]): number {
  let mutations = 0;
  for (const { bytes, length } of groups) {
    const reader = createReader(bytes);
    for (let position = 0; position < length; position += reader.uint32(position)) {
      mutations += reader.uint32(position + 8);
    }
  }
  return mutations;
}

type Reader = ReturnType<typeof createReader>;

function createReader(buffer: ArrayBuffer) {
  const bytes = new Uint8Array(buffer);
  const view = new DataView(buffer);
  return {
    uint8: (position: number) => view.getUint8(position),
    uint16: (position: number) => view.getUint16(position, true),
    uint32: (position: number) => view.getUint32(position, true),
    float64: (position: number) => view.getFloat64(position, true),
    setUint8: (position: number, value: number) => view.setUint8(position, value),
    setFloat64: (position: number, value: number) => view.setFloat64(position, value, true),
    slice: (position: number, length: number) => bytes.subarray(position, position + length),
  };
}

function applyCommit(
  transaction: WriteTransaction,
  reader: Reader,
  start: number,
  now: number,
): Omit<Refusal, "commit"> | undefined {
  const checks = reader.uint32(start + 4);
  const mutations = reader.uint32(start + 8);
  let position = start + commitHeaderBytes;
  for (let index = 0; index < checks; index++) {
    const expectsText = reader.uint8(position) === 1;
    const keyLength = reader.uint16(position + 1);
    const key = reader.slice(position + 3, keyLength);
    position += 3 + keyLength;
    const textLength = expectsText ? reader.uint32(position) : 0;
    const expected = expectsText ? reader.slice(position + 4, textLength) : undefined;
    if (expectsText) position += 4 + textLength;
    if (!holds(transaction.getBinaryFast(key), expected, now)) return { kind: "check", key: toName(key) };
  }
  const sums = new Map<number, Held>();
  const hasSum = reader.uint8(start + 12) === 1;
  if (hasSum) {
    const refusal = planSums(transaction, reader, position, mutations, now, sums);
    if (refusal !== undefined) return refusal;
  }
  for (let index = 0; index < mutations; index++) {
    const mutation = readMutation(reader, position, now);
    position = mutation.next;
    if (mutation.type === mutationTypes.delete) transaction.remove(mutation.key);
    else {
      const sum = sums.get(index);
      const stored = sum === undefined ? mutation.stored : toStored(sum);
      transaction.put(mutation.key, stored);
      const expiresAt = storedExpiry(stored);
      if (expiresAt !== undefined) addToExpiryIndex(transaction, mutation.key, toSweepTime(expiresAt, now));
    }
  }
  return undefined;
}

const empty = new Uint8Array(0);

/** Converts a `setFor` into a `set`, in place. */
function readMutation(reader: Reader, position: number, now: number) {
  const type = reader.uint8(position);
  const keyLength = reader.uint16(position + 1);
  const key = reader.slice(position + 3, keyLength);
  const body = position + 3 + keyLength;
  if (type === mutationTypes.setFor) {
    reader.setUint8(position, mutationTypes.set);
    // Skip the length of the stored text and the expiry mark.
    reader.setFloat64(body + 5, now + reader.float64(body + 5));
  }
  if (type === mutationTypes.set || type === mutationTypes.setFor) {
    const length = reader.uint32(body);
    return {
      type: mutationTypes.set,
      key,
      stored: reader.slice(body + 4, length),
      body,
      next: body + 4 + length,
    };
  }
  return { type, key, stored: empty, body, next: type === mutationTypes.sum ? body + 16 : body };
}

/** Returns whether a key holds exactly the expected text. `undefined`: the key must be absent or expired. */
function holds(stored: Uint8Array | undefined, expected: Uint8Array | undefined, now: number): boolean {
  const expiresAt = stored === undefined ? undefined : storedExpiry(stored);
  const absent = stored === undefined || (expiresAt !== undefined && isExpired(expiresAt, now));
  if (absent || expected === undefined) return absent && expected === undefined;
  const start = expiresAt === undefined ? 0 : expiryHeaderBytes;
  if (stored.length - start !== expected.length) return false;
  return Buffer.compare(stored.subarray(start, stored.length), expected) === 0;
}

/** Computes all sums of a commit before its first write. */
function planSums(
  transaction: WriteTransaction,
  reader: Reader,
  start: number,
  mutations: number,
  now: number,
  sums: Map<number, Held>,
): Omit<Refusal, "commit"> | undefined {
  const held = (name: string): Held | undefined => {
    const stored = transaction.getBinaryFast(Buffer.from(name, "latin1"));
    return stored === undefined ? undefined : toHeld(stored);
  };
  const summed = new Set(readSummed(reader, start, mutations, now));
  // A sum sees the earlier mutations of its key.
  const changed = new Map<string, Held | undefined>();
  let position = start;
  for (let index = 0; index < mutations; index++) {
    const { type, key, stored, body, next } = readMutation(reader, position, now);
    position = next;
    const name = toName(key);
    if (!summed.has(name)) continue;
    if (type !== mutationTypes.sum) {
      changed.set(name, type === mutationTypes.set ? toHeld(stored) : undefined);
      continue;
    }
    const [amount, expiry] = [reader.float64(body), reader.float64(body + 8)];
    const sum = { amount, expiresAt: Number.isNaN(expiry) ? undefined : expiry };
    const result = addToCounter(changed.has(name) ? changed.get(name) : held(name), sum, now);
    if ("error" in result) return { kind: result.error, key: name };
    changed.set(name, result);
    sums.set(index, result);
  }
  return undefined;
}

function readSummed(reader: Reader, start: number, mutations: number, now: number): string[] {
  const summed: string[] = [];
  for (let index = 0, position = start; index < mutations; index++) {
    const { type, key, next } = readMutation(reader, position, now);
    if (type === mutationTypes.sum) summed.push(toName(key));
    position = next;
  }
  return summed;
}

function toName(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString("latin1");
}

function toHeld(stored: Uint8Array): Held {
  const expiresAt = storedExpiry(stored);
  const start = expiresAt === undefined ? 0 : expiryHeaderBytes;
  return { text: Buffer.from(stored.subarray(start, stored.length)).toString("utf8"), expiresAt };
}

function toStored({ text, expiresAt }: Held): Uint8Array {
  if (expiresAt === undefined) return Buffer.from(text, "utf8");
  const stored = Buffer.alloc(expiryHeaderBytes + Buffer.byteLength(text));
  stored[0] = expiryMark;
  stored.writeDoubleLE(expiresAt, 1);
  stored.write(text, expiryHeaderBytes, "utf8");
  return stored;
}

function toExpiryIndexKey(key: Uint8Array, sweepTime: number): Uint8Array {
  const indexKey = new Uint8Array(expiryIndexHeaderBytes + Math.min(key.length, maximumKeyBytes));
  indexKey[0] = expiryIndexTag;
  const view = new DataView(indexKey.buffer);
  view.setUint32(1, Math.floor(sweepTime / 2 ** 32));
  view.setUint32(5, sweepTime % 2 ** 32);
  indexKey.set(key, expiryIndexHeaderBytes);
  return indexKey;
}

/** Writes no entry that is there already: LMDB would copy and write its page all the same. */
function addToExpiryIndex(transaction: WriteTransaction, key: Uint8Array, sweepTime: number): void {
  const indexKey = toExpiryIndexKey(key, sweepTime);
  if (transaction.getBinaryFast(indexKey) === undefined) transaction.put(indexKey, empty);
}

/** Removes at most `limit` expired entries. Returns the number of index entries that it checked. */
export function sweepExpired(
  transaction: WriteTransaction & {
    getKeys(range: {
      readonly start: Uint8Array;
      readonly end: Uint8Array;
      readonly limit: number;
    }): Iterable<Uint8Array>;
  },
  now: number,
  limit: number,
): number {
  const start = Uint8Array.of(expiryIndexTag);
  const end = toExpiryIndexKey(empty, Math.max(0, Math.floor(now) + 1));
  const due = [...transaction.getKeys({ start, end, limit })];
  for (const indexKey of due) {
    transaction.remove(indexKey);
    const key = indexKey.subarray(expiryIndexHeaderBytes);
    const stored = transaction.getBinaryFast(key);
    const expiresAt = stored === undefined ? undefined : storedExpiry(stored);
    // The entry may have been overwritten. A later expiry has its own index entry.
    if (expiresAt !== undefined && isExpired(expiresAt, now)) transaction.remove(key);
  }
  return due.length;
}
