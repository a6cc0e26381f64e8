import type * as FastCheck from "fast-check";
import { StorageError } from "../storage-error.ts";
import type { Commit, Key, KeyPart, ListOptions, Mutation, Store } from "../port.ts";
import { ContractViolation, isDeepEqual } from "./assertions.ts";
import type { OpenStore } from "./contract-case.ts";
import { loadTestTool } from "./load-test-tool.ts";
import { createModel, type Model, type Outcome } from "./model.ts";

/**
 * Concurrent commits, then reads. The clock advances between rounds. Expiries are relative to the start of
 * the history.
 */
interface Round {
  readonly elapsedMs: number;
  readonly commits: readonly Commit[];
  readonly gets: readonly Key[];
  readonly lists: readonly ListOptions[];
}

/**
 * Compares a store with a model over random histories. The commits of a round run concurrently. Their results
 * and the contents of the store must match some order of these commits in the model.
 *
 * @param options.runs the number of histories. @default 100
 * @param options.seed repeats a failed run
 * @throws {Error} with the shortest history that the store does not fulfil
 * @throws {StorageError} `missing_dependency` without the package `fast-check`
 */
export async function checkStoreAgainstModel(options: {
  readonly openStore: OpenStore;
  readonly runs?: number | undefined;
  readonly seed?: number | undefined;
}): Promise<void> {
  const { openStore, runs = 100, seed } = options;
  const fc = await loadTestTool("fast-check@4", () => import("fast-check"));
  const clock = { now: 1_800_000_000_000 };
  const store = await openStore({ now: () => clock.now });
  const history = fc.asyncProperty(
    fc.array(arbitraryRound(fc), { minLength: 1, maxLength: 8 }),
    async (rounds) => {
      clock.now += 1_000_000;
      await clear(store);
      const start = clock.now;
      let model = createModel();
      for (const round of rounds) {
        clock.now += round.elapsedMs;
        const commits = round.commits.map((commit) => addToExpiries(start, commit));
        model = await runRound(store, model, { ...round, commits }, clock.now);
      }
    },
  );
  try {
    await fc.assert(history, { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
  } finally {
    await store.close();
  }
}

/** All histories share one store, because opening a store may be slow. */
async function clear(store: Store): Promise<void> {
  const entries = await store.list({ prefix: [partition], limit: 10_000 });
  await store.commit(partition, { mutations: entries.map(({ key }) => ({ type: "delete", key })) });
}

function addToExpiries(start: number, commit: Commit): Commit {
  const mutations = commit.mutations.map((mutation) =>
    mutation.type === "delete" || mutation.expiresAt === undefined
      ? mutation
      : Object.assign({}, mutation, { expiresAt: start + mutation.expiresAt }),
  );
  return Object.assign({}, commit, { mutations });
}

const partition = "p42";

async function runRound(store: Store, model: Model, round: Round, now: number): Promise<Model> {
  const outcomes = await Promise.all(round.commits.map((commit) => runCommit(store, commit)));
  const everything: ListOptions = { prefix: [partition], limit: 1_000 };
  const contents = await store.list(everything);
  const candidates = orders(round.commits.length).map((order) =>
    runInOrder(model, round.commits, order, now),
  );
  const next = candidates.find(
    (candidate) =>
      isDeepEqual(candidate.outcomes, outcomes) &&
      isDeepEqual(candidate.model.list(everything, now), contents),
  );
  if (next === undefined) {
    throw new ContractViolation(
      `no order of the commits matches ${JSON.stringify({ commits: round.commits, outcomes, contents })}`,
    );
  }
  for (const key of round.gets) expect(await store.get(key), next.model.get(key, now), { get: key });
  expect(
    await store.getMany(round.gets),
    round.gets.map((key) => next.model.get(key, now)),
    { getMany: round.gets },
  );
  for (const list of round.lists) expect(await store.list(list), next.model.list(list, now), { list });
  return next.model;
}

function expect(actual: unknown, expected: unknown, what: unknown): void {
  if (isDeepEqual(actual, expected)) return;
  throw new ContractViolation(
    `${JSON.stringify(what)}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  );
}

async function runCommit(store: Store, commit: Commit): Promise<Outcome> {
  try {
    return await store.commit(partition, commit);
  } catch (error) {
    if (error instanceof StorageError) return { refused: error.code };
    throw error;
  }
}

function runInOrder(model: Model, commits: readonly Commit[], order: readonly number[], now: number) {
  const copy = model.clone();
  const outcomes: (Outcome | undefined)[] = commits.map(() => undefined);
  for (const index of order) {
    const commit = commits[index];
    if (commit !== undefined) outcomes[index] = copy.commit(commit, now);
  }
  return { model: copy, outcomes };
}

/** Returns all permutations of the first `count` integers. */
function orders(count: number): number[][] {
  if (count === 0) return [[]];
  return orders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, position) => order.toSpliced(order.length - position, 0, count - 1)),
  );
}

function toKey(parts: readonly KeyPart[]): Key {
  return [partition, ...parts];
}

/** Uses few keys and texts, so that operations conflict. Some keys are difficult to order. */
function arbitraryRound(fc: typeof FastCheck): FastCheck.Arbitrary<Round> {
  const part = fc.constantFrom<KeyPart>(
    -1,
    0,
    1,
    256,
    Number.MAX_SAFE_INTEGER,
    "",
    "a",
    "a\0",
    "b",
    "é",
    "\uFFFD",
    "😀",
  );
  // Half of the keys are one of two, so that concurrent commits conflict.
  const key = fc.oneof(
    fc.constantFrom<Key>([partition, "a"], [partition, "a", 0]),
    fc.array(part, { minLength: 1, maxLength: 2 }).map(toKey),
  );
  const prefix = fc.array(part, { maxLength: 2 }).map(toKey);
  const value = fc.constantFrom("", "0", "1", "-1", "2", "text", "\0", "😀");
  const expiresAt = fc.integer({ min: 0, max: 40 });
  const mutation = fc.oneof(
    fc.record(
      { type: fc.constant("set" as const), key, value, expiresAt },
      { requiredKeys: ["type", "key", "value"] },
    ),
    fc.record({
      type: fc.constant("set" as const),
      key,
      value,
      expiresInMs: fc.integer({ min: 1, max: 20 }),
    }),
    fc.record({ type: fc.constant("delete" as const), key }),
    fc.record(
      { type: fc.constant("sum" as const), key, amount: fc.integer({ min: -2, max: 2 }), expiresAt },
      { requiredKeys: ["type", "key", "amount"] },
    ),
  ) satisfies FastCheck.Arbitrary<Mutation>;
  const check = fc.record({ key, value: fc.option(value, { nil: undefined }) });
  const commit: FastCheck.Arbitrary<Commit> = fc.record({
    checks: fc.array(check, { maxLength: 2 }),
    mutations: fc.array(mutation, { maxLength: 4 }),
  });
  const list: FastCheck.Arbitrary<ListOptions> = fc.record(
    {
      prefix,
      after: key,
      before: key,
      limit: fc.integer({ min: 1, max: 5 }),
      reverse: fc.boolean(),
      groupBy: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ["prefix", "limit"] },
  );
  return fc.record({
    elapsedMs: fc.integer({ min: 0, max: 12 }),
    commits: fc.array(commit, { maxLength: 4 }),
    gets: fc.array(key, { maxLength: 3 }),
    lists: fc.array(list, { maxLength: 4 }),
  });
}
