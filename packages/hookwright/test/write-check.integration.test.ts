import { StorageError } from "@hookwright/storage";
import type { Commit, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createFakeClock } from "../../delivery/test/support/fake-clock.ts";
import { createHookwright } from "../src/create-hookwright.ts";
import { createCommitOutcomes } from "../src/readiness/commit-outcomes.ts";
import { createWriteCheck } from "../src/readiness/write-check.ts";

type CommitWith = (commit: Commit, store: () => ReturnType<Store["commit"]>) => ReturnType<Store["commit"]>;

/** A check over a store with scripted commits. */
function openCheck(commitWith: CommitWith = (_, store) => store()) {
  const clock = createFakeClock();
  const store = memoryStore();
  const commits: Commit[] = [];
  const problems: unknown[] = [];
  const behaviour = { commitWith };
  const outcomes = createCommitOutcomes(clock);
  const observed: Store = {
    ...store,
    commit(partition, commit) {
      commits.push(commit);
      const end = outcomes.begin(commit);
      const result = behaviour.commitWith(commit, () => store.commit(partition, commit));
      result.then(() => end(), end);
      return result;
    },
  };
  const writeCheck = createWriteCheck({
    store: observed,
    outcomes,
    clock,
    now: clock.now,
    log: (code, fields = {}) => void problems.push([code, fields["problem"]]),
  });
  return { clock, store, observed, commits, problems, behaviour, writeCheck };
}

/** A disk with so little space that only small commits succeed. */
const nearlyFull =
  (freeBytes: number): CommitWith =>
  (commit, store) =>
    JSON.stringify(commit).length <= freeBytes
      ? store()
      : Promise.reject(new StorageError("unavailable", "/var/lib is full", { reason: "disk_full" }));

const full = { ready: false, problem: "The storage cannot be written: the disk is full (ENOSPC)." };

function publish(store: Store, times: number): Promise<unknown> {
  const value = "x".repeat(2_000);
  const mutations = [1, 2, 3].map((part) => ({ type: "set", key: ["p01", part], value }) as const);
  return Promise.allSettled(Array.from({ length: times }, () => store.commit("p01", { mutations })));
}

it("is not ready while most commits fail, although a small write succeeds", async () => {
  const { clock, commits, observed, behaviour, writeCheck } = openCheck();
  await publish(observed, 10);
  expect(await writeCheck.check()).toEqual({ ready: true });
  behaviour.commitWith = nearlyFull(1_000);
  await publish(observed, 9);
  clock.jump(1_000);
  // Fewer failed than succeeded. The row is as large as a commit that failed, in the pages of a database.
  expect(await writeCheck.check()).toEqual(full);
  const [mutation] = commits.at(-1)?.mutations ?? [];
  expect(mutation?.type === "set" && mutation.value.length).toBe(6_000 + 2 * 4_096);
  const before = commits.length;
  for (let second = 0; second < 4; second++) {
    clock.jump(1_000);
    await publish(observed, 10);
    clock.jump(1_000);
    expect(await writeCheck.check()).toEqual(full);
  }
  // The commits of others have shown it, so the check wrote nothing.
  expect(commits.length - before).toBe(40);
  expect(writeCheck.isWritable()).toBe(false);
});

it("is ready again without traffic once a commit of that size succeeds, and then writes small rows", async () => {
  const { clock, store, observed, behaviour, writeCheck } = openCheck(nearlyFull(1_000));
  await publish(observed, 10);
  for (let second = 0; second < 20; second++) {
    expect(await writeCheck.check()).toEqual(full);
    clock.jump(1_000);
  }
  behaviour.commitWith = (_, commit) => commit();
  expect(await writeCheck.check()).toEqual({ ready: true });
  clock.jump(5_000);
  await writeCheck.check();
  expect((await store.get(["p00", "readiness"]))?.length).toBeLessThan(20);
});

it("stays ready while a minority of commits fails, and while checks and callers are refused", async () => {
  const { clock, observed, behaviour, writeCheck } = openCheck();
  for (let second = 0; second < 20; second++) {
    behaviour.commitWith = () => Promise.reject(replica);
    await publish(observed, 6);
    behaviour.commitWith = () =>
      Promise.reject(new StorageError("value_too_large", "a text of 17 MiB is too large"));
    await publish(observed, 100);
    behaviour.commitWith = async () => ({ ok: false, failed: ["p01", 1] });
    await publish(observed, 6);
    behaviour.commitWith = (_, commit) => commit();
    expect(await writeCheck.check()).toEqual({ ready: true });
    clock.jump(1_000);
  }
});

const replica = new StorageError("unavailable", "Redis at 10.0.0.1:6379 failed (READONLY)", {
  reason: "read_only_replica",
});
const replicaProblem = "The storage cannot be written: the server is a read-only replica.";

it("1,000 concurrent probes write one row, and later probes write at most one in five seconds", async () => {
  const { clock, commits, store, writeCheck } = openCheck();
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => writeCheck.check()));
  expect(answers.every(({ ready }) => ready)).toBe(true);
  expect(commits).toHaveLength(1);
  for (let probe = 0; probe < 3_000; probe++) {
    await writeCheck.check();
    clock.jump(20);
  }
  expect(commits).toHaveLength(12);
  expect(await store.list({ prefix: ["p00"], limit: 10 })).toHaveLength(1);
});

it("the first probe detects a failed write, and the failure is cached for a second", async () => {
  const { clock, commits, problems, behaviour, writeCheck } = openCheck(() => Promise.reject(replica));
  expect(await writeCheck.check()).toEqual({ ready: false, problem: replicaProblem });
  expect(writeCheck.isWritable()).toBe(false);
  for (let probe = 0; probe < 100; probe++) {
    await writeCheck.check();
    clock.jump(100);
  }
  expect(commits).toHaveLength(10);
  expect(problems).toEqual(Array.from({ length: 10 }, () => ["not_ready", replicaProblem]));
  behaviour.commitWith = (_, store) => store();
  clock.jump(1_000);
  expect(await writeCheck.check()).toEqual({ ready: true });
  expect(writeCheck.isWritable()).toBe(true);
  clock.jump(10_000);
  await writeCheck.check();
  expect(problems.slice(10)).toEqual([["storage_available", undefined]]);
});

it("no second write starts while one hangs, and its late result is used", async () => {
  const { promise, resolve } = Promise.withResolvers<{ readonly ok: true }>();
  const { clock, commits, behaviour, writeCheck } = openCheck(() => promise);
  const first = writeCheck.check();
  await clock.advance(2_500);
  const silent = { ready: false, problem: "The storage does not respond." };
  expect(await first).toEqual(silent);
  for (let probe = 0; probe < 100; probe++) {
    expect(await writeCheck.check()).toEqual(silent);
    await clock.advance(500);
  }
  expect(commits).toHaveLength(1);
  behaviour.commitWith = (_, store) => store();
  resolve({ ok: true });
  await clock.advance(0);
  expect(await writeCheck.check()).toEqual({ ready: true });
  expect(clock.timers).toBe(0);
});

it.each([
  [
    new StorageError("unavailable", "/var/lib is full", { reason: "disk_full" }),
    /the disk is full \(ENOSPC\)/u,
  ],
  [
    new StorageError("unavailable", "no quota", { reason: "read_only" }),
    /file system is read-only \(EROFS\)/u,
  ],
  [new Error("an adapter of the program", { cause: replica }), /read-only replica/u],
  [new StorageError("closed", "the store was closed"), /^The storage is closed\.$/u],
  [new StorageError("in_use", "taken over by 10.0.0.1"), /in use by another process/u],
  [new Error("password hunter2 at 10.0.0.1"), /^The storage cannot be written\. The log says why\.$/u],
  ["a text", /^The storage cannot be written\. The log says why\.$/u],
])("problem %# gets a fixed sentence without details of the error", async (error, sentence) => {
  const { writeCheck } = openCheck(async () => {
    throw error;
  });
  const readiness = await writeCheck.check();
  expect(readiness).toEqual({ ready: false, problem: expect.stringMatching(sentence) });
  expect(JSON.stringify(readiness)).not.toMatch(/10\.0\.0\.1|\/var|hunter2/u);
});

it.each(["all", "api", "worker"] as const)("/readyz and /metrics of role %s report it", async (role) => {
  const store = memoryStore();
  let isReplica = false;
  await using hookwright = await createHookwright({
    store: {
      ...store,
      commit: (partition, commit) => (isReplica ? Promise.reject(replica) : store.commit(partition, commit)),
    },
    secret: "s".repeat(32),
    role,
    metrics: "public",
    logger: { info() {}, warn() {}, error() {} },
  });
  isReplica = true;
  const ask = (path: string) => hookwright.fetch(new Request(`http://localhost${path}`));
  const response = await ask("/readyz");
  expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
    503,
    "1",
    { success: false, error: { code: "internal_error", message: replicaProblem } },
  ]);
  expect(await (await ask("/metrics")).text()).toContain("\nhookwright_storage_writable 0\n");
  isReplica = false;
  await expect.poll(async () => (await ask("/readyz")).status).toBe(200);
  expect(await (await ask("/metrics")).text()).toContain("\nhookwright_storage_writable 1\n");
});

it("the end of an outage is logged, also without probes", async () => {
  const store = memoryStore();
  const codes: unknown[] = [];
  let isReplica = false;
  const keep = (_: string, fields?: Readonly<Record<string, unknown>>) => void codes.push(fields?.["code"]);
  await using hookwright = await createHookwright({
    store: {
      ...store,
      get: (key) => (isReplica ? Promise.reject(replica) : store.get(key)),
      commit: (partition, commit) => (isReplica ? Promise.reject(replica) : store.commit(partition, commit)),
    },
    secret: "s".repeat(32),
    role: "api",
    logger: { info: keep, warn: keep, error: keep },
  });
  isReplica = true;
  const headers = { authorization: `Bearer hwk_${"a".repeat(43)}` };
  const response = await hookwright.fetch(new Request("http://localhost/v1/me", { headers }));
  expect(response.status).toBe(503);
  await expect.poll(() => codes).toContain("not_ready");
  expect(codes).not.toContain("storage_available");
  isReplica = false;
  await expect.poll(() => codes).toContain("storage_available");
});

it.each([
  ["all", 503],
  ["worker", 503],
  ["api", 200],
] as const)(
  "after closing, /readyz of role %s is %i, because only workers need the scheduler",
  async (role, status) => {
    const hookwright = await createHookwright({ store: memoryStore(), secret: "s".repeat(32), role });
    await hookwright.close();
    const response = await hookwright.fetch(new Request("http://localhost/readyz"));
    expect(response.status).toBe(status);
    if (status === 503) expect((await response.json()).error.message).toBe("The scheduler is not running.");
  },
);
