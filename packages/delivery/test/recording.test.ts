import { StorageError } from "@hookwright/storage";
import type { Commit, Key, Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import { parseDeliveryRow, renderDeliveryRow } from "../src/storage/delivery-codec.ts";
import type { AttemptRow } from "../src/storage/delivery-row.ts";
import { keys } from "../src/storage/keys.ts";
import type { WorkerOptions } from "../src/worker.ts";
import { until } from "./support/fake-clock.ts";
import { accepted, answered, hanging } from "./support/fake-transport.ts";
import { accountId, createWorld, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";
import type { FaultyStore } from "./support/faulty-store.ts";

async function faultyWorld(options: Partial<WorkerOptions> = {}) {
  const world = createWorld({ wrapStore: toFaultyStore });
  const { store } = world;
  await world.addWebhook("wh_1");
  const worker = world.worker(options);
  await worker.start();
  const sendTo = async (name: string, ...recordIds: string[]) => {
    const deliveries = await world.publish(name, ...recordIds);
    worker.offer(accountId, deliveries);
    await world.clock.advance(0);
    return deliveries.map(({ id }) => id);
  };
  const send = (...recordIds: string[]) => sendTo("wh_1", ...recordIds);
  return { world, store, worker, send, sendTo };
}

/** Gives the lease of the partition to another worker. */
async function takeLeaseAway(
  { store }: Pick<World, "store">,
  { forMs }: { readonly forMs: number },
): Promise<void> {
  const holder = { id: "another", host: "there", process: 7 };
  await store.commit(partition, {
    mutations: [
      {
        type: "set",
        key: keys.lease(partition),
        value: JSON.stringify({ worker: holder, acquisition: 99 }),
        expiresInMs: forMs,
      },
    ],
  });
}

async function put(store: Store, rows: readonly (readonly [Key, string])[]): Promise<void> {
  await store.commit(partition, { mutations: rows.map(([key, value]) => ({ type: "set", key, value })) });
}

/** Whether a commit records results. Other commits renew leases or publish. */
function records({ mutations }: Commit): boolean {
  return mutations.some(({ key }) => key[1] === "delivery");
}

it("attempts that end together share one commit", async () => {
  const { world, store, worker, send } = await faultyWorld();
  await send("first");
  const answers = Array.from({ length: 8 }, hanging);
  let next = 0;
  world.transport.answerWith(() => answers[next++]?.answer ?? answered(500));
  const ids = await send(...answers.map((_, index) => `ord_${index}`));
  const commits: Commit[] = [];
  store.onCommit = (_, commit, commitNow) => {
    commits.push(commit);
    return commitNow();
  };
  for (const { give } of answers) give(answered(200));
  await world.clock.advance(0);
  expect(commits.filter(records)).toHaveLength(1);
  for (const id of ids) expect((await world.delivery(id)).status).toBe("delivered");
  await worker.close();
});

/** Three failures. The commit of the first one waits, so the results of the others wait too. */
async function oneCommitting() {
  const faulty = await faultyWorld();
  const { world, store, send } = faulty;
  const waiting: { readonly end: (as: "committed" | "failed" | "unanswered") => void }[] = [];
  let reads = 0;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit)) return commitNow();
    const as = await new Promise((end) => waiting.push({ end }));
    if (as === "failed") throw new Error("the store is away");
    const result = await commitNow();
    if (as === "unanswered") throw new Error("the connection broke before the response came");
    return result;
  };
  world.transport.answerWith(() => answered(500));
  const ids: string[] = [];
  for (const record of ["a", "b", "c"]) {
    ids.push(...(await send(record)));
    await world.clock.advance(100);
  }
  store.onGetMany = (names, next) => {
    if (names.length <= 2 && names.some(([, kind]) => kind === "webhook-health")) reads += 1;
    return next();
  };
  return { ...faulty, ids, waiting, reads: () => reads };
}

/** Ids of deliveries in the order in which they are recorded, and the number of refused commits. */
function watchCommits(store: FaultyStore): { readonly ids: unknown[]; refused: number } {
  const seen = { ids: [] as unknown[], refused: 0 };
  store.onCommit = async (_, commit, commitNow) => {
    const result = await commitNow();
    if (!records(commit)) return result;
    if (!result.ok) seen.refused += 1;
    else for (const { key } of commit.mutations) if (key[1] === "delivery") seen.ids.push(key.at(-1));
    return result;
  };
  return seen;
}

async function expectAllCounted({ world, ids }: Awaited<ReturnType<typeof oneCommitting>>): Promise<void> {
  expect((await world.health("wh_1")).consecutive_failures).toBe(ids.length);
  for (const id of ids) expect((await world.delivery(id)).attempts).toHaveLength(1);
  expect(world.transport.sent).toHaveLength(ids.length);
  expect(await world.queued()).toHaveLength(ids.length);
}

it("results that arrive during a commit share the next one, which needs no reads", async () => {
  const one = await oneCommitting();
  const { world, store, worker, waiting } = one;
  expect(waiting).toHaveLength(1);
  const seen = watchCommits(store);
  waiting[0]?.end("committed");
  await world.clock.advance(100);
  await expectAllCounted(one);
  expect(seen).toEqual({ ids: one.ids.slice(1), refused: 0 });
  expect(one.reads()).toBe(0);
  expect(world.errors).toEqual([]);
  await worker.close();
});

it("a refused commit is planned again, and later results are recorded after it", async () => {
  const one = await oneCommitting();
  const { world, store, worker, waiting, ids } = one;
  await world.changeWebhook("wh_1", { target_url: "https://elsewhere.example.com/" });
  const seen = watchCommits(store);
  waiting[0]?.end("committed");
  await world.clock.advance(100);
  await expectAllCounted(one);
  expect(seen.ids).toEqual(ids);
  expect(world.errors).toEqual([]);
  await worker.close();
});

it.each(["unanswered", "failed"] as const)(
  "a commit that ends %s counts once, before later results",
  async (as) => {
    const one = await oneCommitting();
    const { world, store, worker, waiting, ids } = one;
    const seen = watchCommits(store);
    waiting[0]?.end(as);
    await world.clock.advance(5_000);
    await expectAllCounted(one);
    expect(world.errors).toHaveLength(1);
    expect(seen.ids).toEqual(as === "failed" ? ids : ids.slice(1));
    await worker.close();
  },
);

it("a failure after an acceptance that could not be recorded yet is counted after it", async () => {
  const { world, store, worker, send } = await faultyWorld();
  const now = world.clock.now();
  const failing = {
    consecutive_failures: 29,
    last_success_at: null,
    last_failure_at: now,
    last_warning_at: now,
  };
  await put(store, [[keys.webhookHealth({ accountId, webhookId: "wh_1" }), JSON.stringify(failing)]]);
  let failures = 1;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit) || failures-- <= 0) return commitNow();
    throw new Error("away");
  };
  await send("accepted");
  world.transport.answerWith(() => answered(500));
  await send("failed");
  await world.clock.advance(2_000);
  expect((await world.webhook("wh_1"))?.status).toBe("active");
  expect((await world.health("wh_1")).consecutive_failures).toBe(1);
  expect(world.notices.map(({ type }) => type)).toEqual(["recovered"]);
  await worker.close();
});

it("a failed delivery after a 410 is cancelled, because its webhook is removed", async () => {
  const { world, store, worker, send } = await faultyWorld();
  await send("before");
  const answers = [hanging(), hanging()];
  let next = 0;
  world.transport.answerWith(() => answers[next++]?.answer ?? answered(200));
  const [, second = ""] = await send("first", "second");
  const seen = watchCommits(store);
  const watched = store.onCommit;
  let letFirst = (): void => {};
  const firstMay = new Promise<void>((resolve) => (letFirst = resolve));
  store.onCommit = async (partitionName, commit, commitNow) => {
    if (records(commit)) await firstMay;
    return watched?.(partitionName, commit, commitNow) ?? commitNow();
  };
  answers[0]?.give(answered(410));
  await world.clock.advance(100);
  answers[1]?.give(answered(500));
  await world.clock.advance(100);
  letFirst();
  await world.clock.advance(200);
  expect(seen).toMatchObject({ refused: 0, ids: [expect.any(String), second] });
  expect(await world.webhook("wh_1")).toBeUndefined();
  expect((await world.delivery(second)).status).toBe("cancelled");
  await worker.close();
});

it("with a slow store, at most 512 results of one webhook are not durable", async () => {
  const { world, store, worker, send } = await faultyWorld();
  let letCommit = (): void => {};
  const commitsMayHappen = new Promise<void>((resolve) => (letCommit = resolve));
  store.onCommit = async (_, commit, commitNow) => {
    if (records(commit)) await commitsMayHappen;
    return commitNow();
  };
  const ids = await send(...Array.from({ length: 800 }, (_, index) => `ord_${index}`));
  await world.clock.advance(0);
  expect(world.transport.sent.length).toBeLessThanOrEqual(512);
  expect(worker.stats).toMatchObject({ sending: 0, unrecorded: world.transport.sent.length });
  letCommit();
  await world.clock.advance(0);
  expect(world.transport.sent).toHaveLength(800);
  await until(() => worker.stats.recorded === 800);
  for (const id of ids) expect((await world.delivery(id)).status).toBe("delivered");
  await worker.close();
});

it.each([
  { storeDelayMs: 0, isMore: true },
  { storeDelayMs: 500, isMore: false },
])(
  "after $storeDelayMs ms in the store, more than 32 attempts for unhealthy endpoints: $isMore",
  async (each) => {
    const { world, store, worker, send, sendTo } = await faultyWorld();
    const failing = Array.from({ length: 50 }, (_, index) => `wh_failing_${index}`);
    world.transport.answerWith(() => answered(500));
    for (const name of failing) await world.addWebhook(name);
    for (const name of failing) await sendTo(name, "ord_1");
    world.transport.answerWith(accepted);
    let letCommit = (): void => {};
    const commitsMayHappen = new Promise<void>((resolve) => (letCommit = resolve));
    store.onCommit = async (_, commit, commitNow) => {
      if (records(commit)) await commitsMayHappen;
      return commitNow();
    };
    await send("ord_1");
    await world.clock.advance(each.storeDelayMs);
    world.transport.answerWith(() => new Promise<never>(() => {}));
    for (const name of failing) await sendTo(name, "ord_2");
    expect(worker.stats.sending > 32).toBe(each.isMore);
    letCommit();
  },
);

it("while commits fail, no result is lost, nothing is sent again, and commits are retried with a pause", async () => {
  const { world, store, worker, send } = await faultyWorld();
  let refused = 0;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit)) return commitNow();
    refused += 1;
    throw new Error("away");
  };
  // Publishing works, because its commits record no results.
  const [id = ""] = await send("ord_1");
  await world.clock.advance(12_000);
  expect(refused).toBeGreaterThan(1);
  expect(refused).toBeLessThanOrEqual(30);
  expect(world.errors).toHaveLength(refused);
  store.onCommit = undefined;
  await world.clock.advance(2_000);
  expect((await world.delivery(id)).status).toBe("delivered");
  expect(world.transport.sent).toHaveLength(1);
  expect((await world.health("wh_1")).consecutive_failures).toBe(0);
  expect(await world.queued()).toEqual([]);
  await worker.close();
});

it("while reads fail, due deliveries wait and none is lost", async () => {
  const { world, store, worker, send } = await faultyWorld();
  let refused = 0;
  store.onGetMany = async () => {
    refused += 1;
    throw new Error("away");
  };
  store.onList = async () => {
    refused += 1;
    throw new Error("away");
  };
  await send("ord_1", "ord_2");
  await world.clock.advance(10_000);
  expect(refused).toBeLessThan(100);
  expect(world.transport.sent).toEqual([]);
  store.onGetMany = undefined;
  store.onList = undefined;
  await world.clock.advance(5_000);
  expect([...world.transport.counts().values()]).toEqual([1, 1]);
  expect(await world.queued()).toEqual([]);
  await worker.close();
});

it("a commit that arrives late, after its outcome was checked, does not count twice", async () => {
  let random = 0;
  const { world, store, worker, send } = await faultyWorld({
    random: () => (random = (random + 0.37) % 1),
  });
  world.transport.answerWith(() => answered(500));
  let late: (() => Promise<unknown>) | undefined;
  let failed = 0;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit) || failed > 0) return commitNow();
    failed += 1;
    late = commitNow;
    throw new Error("no response came in time");
  };
  store.onGetMany = async (asked, getNow) => {
    const found = await getNow();
    // The check does not find it, and it arrives just after that.
    if (late !== undefined && asked.some((key) => key[1] === "delivery")) {
      const commitNow = late;
      late = undefined;
      await commitNow();
    }
    return found;
  };
  const [id = ""] = await send("a");
  await world.clock.advance(5_000);
  expect([failed, late]).toEqual([1, undefined]);
  expect((await world.health("wh_1")).consecutive_failures).toBe(1);
  expect((await world.delivery(id)).attempts).toHaveLength(1);
  expect(await world.queued()).toHaveLength(1);
  expect(world.attempts).toHaveLength(1);
  world.transport.answerWith(() => accepted());
  await world.clock.advance(60_000);
  expect(world.transport.counts().get(id)).toBe(2);
  expect(await world.queued()).toEqual([]);
  await worker.close();
});

it("the notice of a recorded result is sent, although the lease was lost while the outcome was unknown", async () => {
  const { world, store, worker, send } = await faultyWorld();
  world.transport.answerWith(() => answered(500));
  await send("a", "b", "c", "d", "e");
  await world.clock.advance(100);
  let isAway = false;
  store.onCommit = async (_, commit, commitNow) => {
    const result = await commitNow();
    if (!records(commit) || isAway) return result;
    isAway = true;
    throw new Error("the connection broke");
  };
  store.onGetMany = (asked, getNow) =>
    isAway && asked.some((key) => key[1] === "delivery") ? Promise.reject(new Error("away")) : getNow();
  await send("f");
  await takeLeaseAway(world, { forMs: 60_000 });
  await world.clock.advance(6_000);
  isAway = false;
  store.onCommit = undefined;
  await world.clock.advance(10_000);
  expect((await world.health("wh_1")).consecutive_failures).toBe(6);
  expect(world.notices.map(({ type }) => type)).toEqual(["failing"]);
  await worker.close();
});

it("an attempt that another worker recorded while the outcome was unknown is not reported as our own", async () => {
  const { world, store, worker, send } = await faultyWorld();
  world.transport.answerWith(() => answered(500));
  let failed = 0;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit) || failed > 0) return commitNow();
    failed += 1;
    throw new Error("the store is away");
  };
  const [id = ""] = await send("a");
  await world.clock.advance(100);
  expect(failed).toBe(1);
  const [queued] = await world.queued();
  if (queued === undefined) throw new Error("the delivery is not queued");
  const delivery = parseDeliveryRow(queued.value);
  const attempt: AttemptRow = {
    number: 1,
    started_at: world.clock.now(),
    duration_ms: 3,
    request_form: 0,
    signature: "v1=of-the-other",
    body: "{}",
    status: 200,
    headers: [],
    excerpt: "",
    error: null,
    detail: null,
    next_attempt_at: null,
  };
  await put(store, [
    [
      keys.delivery(accountId, id),
      renderDeliveryRow({ ...delivery, status: "delivered", attempts: [attempt] }),
    ],
  ]);
  await store.commit(partition, { mutations: [{ type: "delete", key: queued.key }] });
  await takeLeaseAway(world, { forMs: 60_000 });
  await world.clock.advance(5_000);
  expect(world.attempts).toEqual([]);
  expect((await world.delivery(id)).attempts).toEqual([attempt]);
  expect((await world.health("wh_1")).consecutive_failures).toBe(0);
  expect(world.transport.counts().get(id)).toBe(1);
  await worker.close();
});

it("errors of `onAttempt` and `onNotice` are reported, and each attempt counts once", async () => {
  const { world, worker, send } = await faultyWorld({
    onAttempt: () => {
      throw new Error("metrics are broken");
    },
    onNotice: () => {
      throw new Error("mails are broken");
    },
  });
  world.transport.answerWith(() => answered(500));
  const ids = await send("a", "b", "c", "d", "e", "f");
  await world.clock.advance(2_000);
  expect((await world.health("wh_1")).consecutive_failures).toBe(6);
  for (const id of ids) expect((await world.delivery(id)).attempts).toHaveLength(1);
  expect(world.errors).toHaveLength(7);
  expect((await world.queued()).length).toBe(6);
  await worker.close();
});

it("after another worker has taken the lease, the first commit fails, nothing is written, and no attempt starts", async () => {
  const { world, store, worker, send } = await faultyWorld();
  await send("first");
  const answers = Array.from({ length: 40 }, hanging);
  let next = 0;
  world.transport.answerWith(() => answers[next++]?.answer ?? answered(200));
  const ids = await send(...Array.from({ length: 40 }, (_, index) => `ord_${index}`));
  const sent = world.transport.sent.length;
  await takeLeaseAway(world, { forMs: 60_000 });
  let commits = 0;
  store.onCommit = (_, __, commitNow) => {
    commits += 1;
    return commitNow();
  };
  for (const { give } of answers.slice(0, 8)) give(answered(200));
  await world.clock.advance(0);
  expect(commits).toBe(1);
  expect(world.transport.sent).toHaveLength(sent);
  for (const { give } of answers.slice(8)) give(answered(200));
  expect(await store.list({ prefix: [partition, "delivery"], limit: 9 })).toHaveLength(1);
  expect(await store.list({ prefix: [partition, "fresh"], limit: 99 })).toHaveLength(ids.length);
  await world.clock.advance(10_000);
  expect(world.transport.sent).toHaveLength(sent);
  expect(worker.stats).toMatchObject({ partitions: 0, unrecorded: 0, sending: 0, endpoints: 0 });
  await worker.close();
});

it("a response that comes after its partition was lost and acquired again does not affect the new attempt", async () => {
  const { world, worker, send } = await faultyWorld();
  const answers = Array.from({ length: 9 }, hanging);
  let next = 0;
  world.transport.answerWith(() => answers[next++]?.answer ?? answered(200));
  await send("ord_1");
  expect(world.transport.sent).toHaveLength(1);
  await takeLeaseAway(world, { forMs: 6_000 });
  await world.clock.advance(9_000);
  expect(worker.stats.partitions).toBe(1);
  expect(world.transport.sent).toHaveLength(2);
  answers[0]?.give(answered(200));
  await world.clock.advance(5_000);
  expect(world.transport.sent).toHaveLength(2);
  answers[1]?.give(answered(200));
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual([]);
  expect(worker.stats).toMatchObject({ unrecorded: 0, sending: 0 });
  await worker.close();
});

it("a commit that fails after its partition was lost and acquired again does not affect the new lease", async () => {
  const { world, store, worker, send } = await faultyWorld();
  let letCommit = (): void => {};
  store.onCommit = async (_, commit, commitNow) => {
    if (records(commit)) {
      store.onCommit = undefined;
      await new Promise<void>((resolve) => (letCommit = resolve));
    }
    return commitNow();
  };
  await send("ord_1");
  await takeLeaseAway(world, { forMs: 6_000 });
  await world.clock.advance(9_000);
  expect(worker.stats.partitions).toBe(1);
  expect(world.transport.sent).toHaveLength(2);
  letCommit();
  await world.clock.advance(0);
  expect(worker.stats.partitions).toBe(1);
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual([]);
  expect(world.transport.sent).toHaveLength(2);
  expect(worker.stats).toMatchObject({ unrecorded: 0, sending: 0 });
  await worker.close();
});

it("an attempt does not start if the lease expires while its rows are read", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const worker = world.worker();
  await worker.start();
  let answer = (): void => {};
  world.store.onGetMany = async (names, next) => {
    if (names.some(([, kind]) => kind === "signing-secret"))
      await new Promise<void>((resolve) => (answer = resolve));
    return next();
  };
  worker.offer("acc_1", await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
  // The process pauses for longer than the lease.
  world.clock.jump(60_000);
  world.store.onGetMany = undefined;
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect(world.transport.sent).toEqual([]);
  await world.clock.advance(20_000);
  expect(world.transport.sent).toHaveLength(1);
  await worker.close();
});

it("a result that cannot be recorded does not block the others", async () => {
  const { world, store, worker, send } = await faultyWorld();
  store.onCommit = (_, commit, commitNow) => {
    const isLarge = commit.mutations.some((one) => one.type === "set" && one.value.includes("ord_large"));
    if (records(commit) && isLarge) throw new StorageError("value_too_large", "the row is too large");
    return commitNow();
  };
  const [, small = ""] = await send("ord_large", "ord_small");
  await world.clock.advance(2_000);
  expect(await world.delivery(small)).toMatchObject({ status: "delivered" });
  expect(world.errors).toEqual([expect.objectContaining({ code: "value_too_large" })]);
  expect(worker.stats.unrecorded).toBe(0);
  // It is not sent again before a restart.
  await world.clock.advance(60_000);
  expect(world.transport.sent).toHaveLength(2);
  await worker.close();
});

it("an endpoint whose results cannot be recorded gets its next attempts", async () => {
  const { world, store, worker, send } = await faultyWorld({ scanMs: 600_000 });
  let letCommit = (): void => {};
  const commitsMayHappen = new Promise<void>((resolve) => (letCommit = resolve));
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit)) return commitNow();
    await commitsMayHappen;
    throw new StorageError("value_too_large", "the row is too large");
  };
  await send(...Array.from({ length: 600 }, (_, index) => `ord_${index}`));
  await until(() => worker.stats.unrecorded === 512 && worker.stats.sending === 0);
  await world.clock.advance(0);
  letCommit();
  await until(() => world.errors.length === 600);
  expect(world.transport.sent).toHaveLength(600);
  await worker.close();
});

it("nothing is retried after a close whose deadline is over", async () => {
  const { world, store, worker, send } = await faultyWorld();
  let commits = 0;
  store.onCommit = (_, commit, commitNow) => {
    if (!records(commit)) return commitNow();
    commits += 1;
    throw new StorageError("unavailable", "the storage is gone");
  };
  await send("ord_1");
  const closed = worker.close({ deadlineMs: 2_000 });
  await world.clock.advance(3_000);
  expect(await closed).toMatchObject({ unrecorded: 1 });
  commits = 0;
  await world.clock.advance(600_000);
  expect(commits).toBe(0);
});

it("results are recorded after the damaged row of their webhook was repaired", async () => {
  const { world, store, worker } = await faultyWorld();
  const key = keys.webhook({ accountId, event: "order.created", webhookId: "wh_1" });
  const value = (await store.get(key)) ?? "";
  const deliveries = await world.publish("wh_1", "ord_1");
  await store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  worker.offer(accountId, deliveries);
  await world.clock.advance(500);
  await store.commit(partition, { mutations: [{ type: "set", key, value }] });
  await world.clock.advance(10_000);
  expect(await world.delivery(deliveries[0]?.id ?? "")).toMatchObject({ status: "delivered" });
  expect(world.transport.sent).toHaveLength(1);
  await worker.close();
});
