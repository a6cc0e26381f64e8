import { checkAmount, checkExpiry, isExpired } from "./commit/expiry.ts";
import { createPartitionWatchers } from "./commit/partition-watchers.ts";
import { createSumPlan, type Held } from "./commit/sum-plan.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import { sumError } from "./commit/counter.ts";
import { checkText } from "./commit/text.ts";
import { checkPartition, closedError, wrongPartition } from "./commit/refusals.ts";
import { isWake, readWake } from "./commit/woken-keys.ts";
import { decodeKey, encodeKey } from "./keys/key-codec.ts";
import { toKeyRange } from "./keys/key-range.ts";
import { createExpiryBuckets } from "./memory/expiry-buckets.ts";
import { createSortedRows, type SortedRows } from "./memory/sorted-rows.ts";
import type { Commit, CommitResult, Entry, Key, Mutation, Store } from "./port.ts";

/** A text without expiry is kept bare: an object for each would double the memory of small values. */
type Row = string | Held;

const committed: CommitResult = Object.freeze({ ok: true });

/**
 * A store in this process's memory, for tests and trials: nothing outlives the process.
 *
 * A commit is applied before the call returns; its promise only reports it.
 *
 * @param options.now the clock expiry is judged by, ms since the epoch. @default Date.now
 * @param options.sweepIntervalMs how often expired entries are removed; they are invisible at once. @default 1000
 * @example
 * const store = memoryStore();
 * await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
 */
export function memoryStore(
  options: { readonly now?: (() => number) | undefined; readonly sweepIntervalMs?: number | undefined } = {},
): Store {
  const { now = Date.now, sweepIntervalMs = 1_000 } = options;
  const partitions = new Map<string, SortedRows<Row>>();
  const expiring = createExpiryBuckets();
  const watchers = createPartitionWatchers();
  const sweeper = createSweepTimer({ sweep, intervalMs: sweepIntervalMs });
  let closed = false;

  function assertOpen(): void {
    if (closed) throw closedError();
  }

  function partitionNamed(name: string): SortedRows<Row> {
    let partition = partitions.get(name);
    if (partition === undefined) partitions.set(name, (partition = createSortedRows()));
    return partition;
  }

  function read(key: Key): string | undefined {
    const encoded = encodeKey(key);
    return visibleText(partitions.get(key[0])?.get(encoded));
  }

  /** The text of a row, unless it has expired. */
  function visibleText(row: Row | undefined): string | undefined {
    if (typeof row !== "object") return row;
    return row.expiresAt !== undefined && isExpired(row.expiresAt, now()) ? undefined : row.text;
  }

  function put(
    partition: SortedRows<Row>,
    encoded: string,
    text: string,
    expiresAt: number | undefined,
  ): void {
    if (expiresAt === undefined) return partition.set(encoded, text);
    partition.set(encoded, { text, expiresAt });
    expiring.add(encoded, expiresAt, now());
    sweeper.start();
  }

  /** The sums of a commit become plain texts, or the error that refuses it. */
  function planSums(
    partition: SortedRows<Row>,
    mutations: readonly Mutation[],
    encodedKeys: readonly string[],
  ): Map<number, Held> {
    const planned = new Map<number, Held>();
    const summed = encodedKeys.filter((_, index) => mutations[index]?.type === "sum");
    const held = (encoded: string): Held | undefined => {
      const row = partition.get(encoded);
      return typeof row === "string" ? { text: row, expiresAt: undefined } : row;
    };
    const plan = createSumPlan(summed, held, now());
    mutations.forEach((mutation, index) => {
      const encoded = encodedKeys[index] ?? "";
      if (!plan.has(encoded)) return;
      if (mutation.type === "set") plan.set(encoded, { text: mutation.value, expiresAt: mutation.expiresAt });
      else if (mutation.type === "delete") plan.delete(encoded);
      else {
        const result = plan.sum(encoded, mutation.amount, mutation.expiresAt);
        if ("fault" in result) throw sumError(result.fault, mutation.key);
        planned.set(index, result);
      }
    });
    return planned;
  }

  function apply(name: string, { checks, mutations, wake }: Commit): CommitResult {
    checkPartition(name);
    // Everything is judged before the first write: what throws here has changed nothing.
    const encodedKeys = mutations.map((mutation) => encodeWritable(mutation, name));
    const beneath = isWake(wake) ? readWake(wake, name) : undefined;
    const partition = partitionNamed(name);
    if (checks !== undefined) {
      let failed: Key | undefined;
      let place = 0;
      for (const { key, value } of checks) {
        if (key[0] !== name) throw wrongPartition(key, name);
        if (value !== undefined) checkText(value);
        const written = placeOfWrite(mutations, key, place);
        if (written !== undefined) place = written + 1;
        const encoded = (written === undefined ? undefined : encodedKeys[written]) ?? encodeKey(key);
        if (visibleText(partition.get(encoded)) !== value) failed ??= [...key];
      }
      if (failed !== undefined) return { ok: false, failed };
    }
    const hasSum = mutations.some(({ type }) => type === "sum");
    const sums = hasSum ? planSums(partition, mutations, encodedKeys) : undefined;
    for (let index = 0; index < mutations.length; index++) {
      const mutation = mutations[index];
      const encoded = encodedKeys[index];
      if (mutation === undefined || encoded === undefined) continue;
      if (mutation.type === "set") put(partition, encoded, mutation.value, mutation.expiresAt);
      else if (mutation.type === "delete") partition.delete(encoded);
      else {
        const sum = sums?.get(index);
        if (sum !== undefined) put(partition, encoded, sum.text, sum.expiresAt);
      }
    }
    if (isWake(wake)) watchers.wake(name, beneath);
    return committed;
  }

  async function sweep(): Promise<"more" | "later" | "stop"> {
    const time = now();
    const due = expiring.take(time, sweepWindow);
    for (const encoded of due) {
      const partition = partitionNamed(encoded.slice(0, 3));
      const row = partition.get(encoded);
      if (typeof row === "object" && row.expiresAt !== undefined && isExpired(row.expiresAt, time))
        partition.delete(encoded);
    }
    if (due.length === sweepWindow) return "more";
    return expiring.isEmpty() ? "stop" : "later";
  }

  async function close(): Promise<void> {
    closed = true;
    sweeper.stop();
    partitions.clear();
  }

  return {
    async get(key) {
      assertOpen();
      return read(key);
    },
    async getMany(keys) {
      assertOpen();
      return keys.map((key) => read(key));
    },
    async list(listOptions) {
      assertOpen();
      const { prefix, from, to } = toKeyRange(listOptions);
      const entries: Entry[] = [];
      const partition = partitions.get(prefix.key[0]);
      partition?.visit({ from, to, reverse: listOptions.reverse ?? false }, (encoded, row) => {
        const value = visibleText(row);
        if (value !== undefined) entries.push({ key: decodeKey(encoded, prefix), value });
        return entries.length < listOptions.limit;
      });
      return entries;
    },
    async commit(partition, commit) {
      assertOpen();
      return apply(partition, commit);
    },
    watch(partition, listener) {
      assertOpen();
      checkPartition(partition);
      return watchers.watch(partition, listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * The encoded key of a mutation that can be written.
 *
 * @throws {StorageError} for one that cannot
 */
function encodeWritable(mutation: Mutation, partition: string): string {
  const { key, type } = mutation;
  if (key[0] !== partition) throw wrongPartition(key, partition);
  const encoded = encodeKey(key);
  if (type === "set") checkText(mutation.value);
  else if (type === "sum") checkAmount(mutation.amount);
  if (type !== "delete" && mutation.expiresAt !== undefined) checkExpiry(mutation.expiresAt);
  return encoded;
}

/** As many as one publication has: its record's rows and its customer's, and a delivery for each of fifty webhooks. */
const looksAhead = 64;

/** What is checked is mostly written too, by a mutation that has the very same key and comes in the order of the checks. */
function placeOfWrite(mutations: readonly Mutation[], key: Key, from: number): number | undefined {
  const end = Math.min(mutations.length, from + looksAhead);
  for (let place = from; place < end; place++) if (mutations[place]?.key === key) return place;
  return undefined;
}
