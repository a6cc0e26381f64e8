import { StorageError } from "@hookwright/storage";
import type { Commit, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createFakeClock } from "../../delivery/test/support/fake-clock.ts";
import { createHookwright } from "../src/create-hookwright.ts";
import { createWriteCheck } from "../src/readiness/write-check.ts";

type CommitWith = (commit: Commit, store: () => ReturnType<Store["commit"]>) => ReturnType<Store["commit"]>;

/** A check over a store with scripted commits. */
function openCheck(commitWith: CommitWith = (_, store) => store()) {
  const clock = createFakeClock();
  const store = memoryStore();
  const commits: Commit[] = [];
  const problems: unknown[] = [];
  const behaviour = { commitWith };
  const writeCheck = createWriteCheck({
    store: {
      ...store,
      commit(partition, commit) {
        commits.push(commit);
        return behaviour.commitWith(commit, () => store.commit(partition, commit));
      },
    },
    clock,
    now: clock.now,
    log: (code, fields = {}) => void problems.push([code, fields["problem"]]),
  });
  return { clock, store, commits, problems, behaviour, writeCheck };
}

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
  await expect.poll(async () => (await ask("/readyz")).status, { timeout: 5_000 }).toBe(200);
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
  await expect.poll(() => codes, { timeout: 5_000 }).toContain("storage_available");
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
