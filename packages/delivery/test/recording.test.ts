import type { Check, Commit, Key, Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import { parseDeliveryRow, renderDeliveryRow } from "../src/rows/delivery-row.ts";
import type { AttemptRow, DeliveryRow } from "../src/rows/delivery-row.ts";
import { keys } from "../src/rows/keys.ts";
import { createKnownWebhooks } from "../src/scheduler/recording/known-webhooks.ts";
import { createRecorder } from "../src/scheduler/recording/recorder.ts";
import { createRecordingMoments } from "../src/scheduler/recording/recording-moments.ts";
import type { SchedulerOptions } from "../src/scheduler/scheduler.ts";
import type { Finished } from "../src/scheduler/turns/finished.ts";
import { rest, until } from "./support/fake-clock.ts";
import { accepted, answered, hanging } from "./support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";
import type { FaultyStore } from "./support/faulty-store.ts";

async function faultyWorld(options: Partial<SchedulerOptions> = {}) {
  const world = createWorld({ wrapStore: toFaultyStore });
  const { store } = world;
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler(options);
  await scheduler.start();
  const sendTo = async (name: string, ...recordIds: string[]) => {
    const deliveries = await world.publish(name, ...recordIds);
    scheduler.offer(accountId, deliveries);
    await world.clock.advance(0);
    return deliveries.map(({ id }) => id);
  };
  const send = (...recordIds: string[]) => sendTo("wh_1", ...recordIds);
  return { world, store, scheduler, send, sendTo };
}

/** Another worker has the partition, whatever this one believes. */
async function takeLeaseAway(
  { store, clock }: Pick<World, "store" | "clock">,
  { forMs }: { readonly forMs: number },
): Promise<void> {
  const holder = { id: "another", host: "there", process: 7 };
  await put(store, [
    [keys.lease(partition), JSON.stringify({ token: 99, holder })],
    [keys.leaseExpiry(partition), String(clock.now() + forMs)],
  ]);
}

async function put(store: Store, rows: readonly (readonly [Key, string])[]): Promise<void> {
  await store.commit(partition, { mutations: rows.map(([key, value]) => ({ type: "set", key, value })) });
}

/** Whether a commit records turns; others renew leases or publish. */
function records({ mutations }: Commit): boolean {
  return mutations.some(({ key }) => key[1] === "delivery");
}

it("attempts that end together share one commit", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
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
  await scheduler.close();
});

/** Two failures whose commits are both on their way, and wait, and a third behind them. */
async function twoUnderWay() {
  const faulty = await faultyWorld();
  const { world, store, send } = faulty;
  const waiting: {
    readonly commit: Commit;
    readonly end: (as: "asked" | "failed" | "unanswered") => void;
  }[] = [];
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit)) return commitNow();
    const as = await new Promise((end) => waiting.push({ commit, end }));
    if (as === "failed") throw new Error("the store is away");
    const result = await commitNow();
    if (as === "unanswered") throw new Error("the connection broke before the answer came");
    return result;
  };
  let reads = 0;
  store.onGetMany = (names, next) => {
    if (names.some(([, kind]) => kind === "webhook-health")) reads += 1;
    return next();
  };
  world.transport.answerWith(() => answered(500));
  const ids: string[] = [];
  for (const record of ["a", "b", "c"]) {
    ids.push(...(await send(record)));
    await world.clock.advance(100);
  }
  return { ...faulty, ids, waiting, reads: () => reads };
}

/** Ids of deliveries, in the order in which they are recorded from now on; and how many commits are refused. */
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

async function expectAllCounted({ world, ids }: Awaited<ReturnType<typeof twoUnderWay>>): Promise<void> {
  expect((await world.health("wh_1")).consecutive_failures).toBe(ids.length);
  for (const id of ids) expect((await world.delivery(id)).attempts).toHaveLength(1);
  expect(world.transport.sent).toHaveLength(ids.length);
  expect(await world.queued()).toHaveLength(ids.length);
}

it("a commit need not wait for the one before it, nor for a read: it builds on what that one will have left", async () => {
  const two = await twoUnderWay();
  const { world, store, scheduler, waiting } = two;
  expect(waiting).toHaveLength(2);
  expect(two.reads()).toBe(1);
  store.onCommit = undefined;
  for (const { end } of waiting) end("asked");
  await world.clock.advance(100);
  await expectAllCounted(two);
  expect(two.reads()).toBe(1);
  expect(world.faults).toEqual([]);
  await scheduler.close();
});

it("where a commit is refused, the one behind it is prepared anew as well, and none overtakes them", async () => {
  const two = await twoUnderWay();
  const { world, store, scheduler, waiting, ids } = two;
  await world.changeWebhook("wh_1", { target_url: "https://elsewhere.example.com/" });
  const seen = watchCommits(store);
  for (const { end } of waiting) end("asked");
  await world.clock.advance(100);
  await expectAllCounted(two);
  expect(seen.ids).toEqual(ids);
  expect(world.faults).toEqual([]);
  await scheduler.close();
});

it.each(["unanswered", "failed"] as const)(
  "where a commit is %s, the one behind it waits for it, and both count once",
  async (as) => {
    const two = await twoUnderWay();
    const { world, store, scheduler, waiting, ids } = two;
    const seen = watchCommits(store);
    const [first, second] = waiting;
    first?.end(as);
    await world.clock.advance(0);
    second?.end("asked");
    await world.clock.advance(5_000);
    await expectAllCounted(two);
    expect(world.faults).toHaveLength(1);
    expect(seen.ids).toEqual(as === "failed" ? ids : ids.slice(2));
    await scheduler.close();
  },
);

it("what reads a webhook while the commit before it fails is put together after that one, and not refused", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
  await world.addWebhook("wh_2");
  world.transport.answerWith(() => answered(500));
  let failCommit: (error: Error) => void = () => {};
  store.onCommit = (_, commit, commitNow) =>
    records(commit) ? new Promise((_resolve, reject) => (failCommit = reject)) : commitNow();
  const ids = await send("a");
  await world.clock.advance(100);
  let letRead = (): void => {};
  const mayRead = new Promise<void>((resolve) => (letRead = resolve));
  store.onGetMany = async (names, next) => {
    if (names.some((name) => name[1] === "webhook-health" && name.at(-1) === "wh_2")) await mayRead;
    return next();
  };
  // Of the two webhooks in the next batch one is known, as the commit on its way will leave it.
  const both = [...(await world.publish("wh_1", "b")), ...(await world.publish("wh_2", "c"))];
  ids.push(...both.map(({ id }) => id));
  scheduler.offer(accountId, both);
  await world.clock.advance(100);
  const seen = watchCommits(store);
  failCommit(new Error("the store is away"));
  await world.clock.advance(0);
  letRead();
  await world.clock.advance(1_000);
  expect(seen.refused).toBe(0);
  expect(seen.ids[0]).toBe(ids[0]);
  expect(seen.ids.toSorted()).toEqual(ids);
  expect((await world.health("wh_1")).consecutive_failures).toBe(2);
  expect((await world.health("wh_2")).consecutive_failures).toBe(1);
  await scheduler.close();
});

it("closing waits for every commit that is under way, and for what waits behind them", async () => {
  const { store, scheduler, waiting } = await twoUnderWay();
  let isClosed = false;
  const closing = scheduler.close().finally(() => (isClosed = true));
  const [first, second] = waiting;
  first?.end("asked");
  await rest();
  store.onCommit = undefined;
  expect(isClosed).toBe(false);
  second?.end("asked");
  waiting[2]?.end("asked");
  expect(await closing).toEqual({ unrecorded: 0, released: true });
});

it("a failure that comes while an acceptance cannot be recorded comes after it", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
  const now = world.clock.now();
  const failing = {
    consecutive_failures: 29,
    last_success_at: null,
    last_failure_at: now,
    last_warning_at: now,
  };
  await put(store, [[keys.webhookHealth(accountId, "wh_1"), JSON.stringify(failing)]]);
  let away = 1;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit) || away-- <= 0) return commitNow();
    throw new Error("away for a moment");
  };
  await send("accepted");
  world.transport.answerWith(() => answered(500));
  await send("failed");
  await world.clock.advance(2_000);
  expect((await world.webhook("wh_1"))?.status).toBe("active");
  expect((await world.health("wh_1")).consecutive_failures).toBe(1);
  expect(world.notices).toEqual([]);
  await scheduler.close();
});

it.each([
  { after: "an answer of 410", status: 410, failuresBefore: 0, left: undefined, notices: [] },
  {
    after: "the thirtieth failure",
    status: 500,
    failuresBefore: 29,
    left: "switched_off",
    notices: ["switched_off"],
  },
])("what is recorded behind $after builds on it", async ({ status, failuresBefore, left, notices }) => {
  const { world, store, scheduler, send } = await faultyWorld();
  const now = world.clock.now();
  const failing = {
    consecutive_failures: failuresBefore,
    last_success_at: null,
    last_failure_at: now,
    last_warning_at: now,
  };
  await put(store, [[keys.webhookHealth(accountId, "wh_1"), JSON.stringify(failing)]]);
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
  answers[0]?.give(answered(status));
  await world.clock.advance(100);
  answers[1]?.give(answered(500));
  await world.clock.advance(100);
  letFirst();
  await world.clock.advance(200);
  expect(seen).toMatchObject({ refused: 0, ids: [expect.any(String), second] });
  expect((await world.webhook("wh_1"))?.status).toBe(left);
  expect(world.notices.map(({ type }) => type)).toEqual(notices);
  expect((await world.delivery(second)).status).toBe(left === undefined ? "cancelled" : "pending");
  await scheduler.close();
});

it("of the webhooks recorded last the rows are known; those of others are read", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  const { store } = world;
  const known = createKnownWebhooks(store);
  const read: Key[] = [];
  store.onGetMany = (names, nextRead) => {
    read.push(...names);
    return nextRead();
  };
  const lanes = Array.from({ length: 2_000 }, (_, index) => ({ accountId, event, webhookId: `wh_${index}` }));
  for (const { webhookId } of lanes)
    known.remember(webhookId, { row: webhookId, health: undefined, guard: undefined });
  const late = await known.textsOf(lanes.slice(-512));
  expect(late.map(({ row }) => row)).toEqual(lanes.slice(-512).map(({ webhookId }) => webhookId));
  expect(read).toEqual([]);
  const texts = await known.textsOf([...lanes.slice(0, 1), ...lanes.slice(-1)]);
  expect(texts.map(({ row }) => row)).toEqual([undefined, "wh_1999"]);
  expect(read).toHaveLength(3);
  known.forget();
  expect((await known.textsOf(lanes.slice(-1))).map(({ row }) => row)).toEqual([undefined]);
});

it("failures, and what comes between them, are recorded forty times a second, and with the next answer that has no time", async () => {
  const { world, store, scheduler, send, sendTo } = await faultyWorld();
  await world.addWebhook("wh_2");
  let commits = 0;
  store.onCommit = (_, commit, commitNow) => {
    if (records(commit)) commits += 1;
    return commitNow();
  };
  const attemptsOf = async (id = "") => (await world.delivery(id)).attempts.length;
  const begun = world.clock.now();
  world.transport.answerWith(() => answered(500));
  const [first] = await send("ord_1");
  expect([commits, await attemptsOf(first)]).toEqual([1, 1]);
  const [second] = await send("ord_2");
  await world.clock.advance(10);
  const [third] = await send("ord_3");
  await world.clock.advance(14);
  expect(commits).toBe(1);
  await world.clock.advance(1);
  expect(commits).toBe(2);
  // Their next tries are counted from the answer, not from here.
  const nextOf = async (id = "") => (await world.delivery(id)).next_attempt_at;
  expect([await nextOf(first), await nextOf(second), await nextOf(third)]).toEqual([
    begun + 15_000,
    begun + 15_000,
    begun + 15_010,
  ]);
  world.transport.answerWith(() => answered(200));
  const [between] = await send("ord_4");
  expect(commits).toBe(2);
  const [accepted] = await sendTo("wh_2", "ord_5");
  expect([commits, await attemptsOf(between), await attemptsOf(accepted)]).toEqual([3, 1, 1]);
  world.transport.answerWith(() => answered(500));
  const [last] = await send("ord_6");
  expect(commits).toBe(3);
  await scheduler.close();
  expect([commits, await attemptsOf(last)]).toEqual([4, 1]);
});

it("an acceptance that took more than a second is recorded as a failure is, for it has time", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
  let commits = 0;
  store.onCommit = (_, commit, commitNow) => {
    if (records(commit)) commits += 1;
    return commitNow();
  };
  world.transport.answerWith(() => ({ ...accepted(), durationMs: 1_000.5 }));
  await send("ord_1");
  expect(commits).toBe(1);
  const [late] = await send("ord_2");
  await world.clock.advance(24);
  expect(commits).toBe(1);
  await world.clock.advance(1);
  expect([commits, (await world.delivery(late ?? "")).status]).toEqual([2, "delivered"]);
  world.transport.answerWith(() => ({ ...accepted(), durationMs: 1_000 }));
  await send("ord_3");
  expect(commits).toBe(3);
  await scheduler.close();
});

it("failures are recorded long before their next try, however near that is", async () => {
  const { world, store, scheduler, send } = await faultyWorld({ retryDelaysSeconds: [0.05, 0.05] });
  const recorded: number[] = [];
  store.onCommit = (_, commit, commitNow) => {
    if (records(commit)) recorded.push(world.clock.now());
    return commitNow();
  };
  world.transport.answerWith(() => answered(500));
  const begun = world.clock.now();
  await send("ord_1");
  await send("ord_2");
  await world.clock.advance(1_000);
  expect(new Set(recorded.map((at) => (at - begun) % 50))).toEqual(new Set([0, 5]));
  expect(world.transport.sent.map(({ at }) => at - begun)).toEqual([0, 0, 50, 50, 100, 100]);
  await scheduler.close();
});

it("a slow store bounds how many deliveries of one webhook are answered and not durable", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
  let letCommit = (): void => {};
  const commitsMayHappen = new Promise<void>((resolve) => (letCommit = resolve));
  store.onCommit = async (_, commit, commitNow) => {
    if (records(commit)) await commitsMayHappen;
    return commitNow();
  };
  const ids = await send(...Array.from({ length: 800 }, (_, index) => `ord_${index}`));
  await world.clock.advance(0);
  expect(world.transport.sent).toHaveLength(512);
  expect(scheduler.stats).toMatchObject({ sending: 0, unrecorded: 512, waiting: 288 });
  letCommit();
  await world.clock.advance(0);
  expect(world.transport.sent).toHaveLength(800);
  await until(() => scheduler.stats.recorded === 800);
  for (const id of ids) expect((await world.delivery(id)).status).toBe("delivered");
  await scheduler.close();
});

it("a store whose commits fail for a while loses no result, sends nothing again, and is not asked in a tight loop", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
  let refused = 0;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit)) return commitNow();
    refused += 1;
    throw new Error("away");
  };
  // Publishing works: it does not record turns.
  const [id = ""] = await send("ord_1");
  await world.clock.advance(12_000);
  expect(refused).toBeGreaterThan(1);
  expect(refused).toBeLessThanOrEqual(30);
  expect(world.faults).toHaveLength(refused);
  store.onCommit = undefined;
  await world.clock.advance(2_000);
  expect((await world.delivery(id)).status).toBe("delivered");
  expect(world.transport.sent).toHaveLength(1);
  expect((await world.health("wh_1")).consecutive_failures).toBe(0);
  expect(await world.queued()).toEqual([]);
  await scheduler.close();
});

it("a store that cannot be read for a while delays what is due and loses nothing", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
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
  await scheduler.close();
});

it("a commit that happened although it was reported as failed is not made again", async () => {
  let random = 0;
  const { world, store, scheduler, send } = await faultyWorld({
    random: () => (random = (random + 0.37) % 1),
  });
  world.transport.answerWith(() => answered(500));
  await send("a", "b", "c", "d", "e");
  let lost = 0;
  store.onCommit = async (_, commit, commitNow) => {
    const result = await commitNow();
    if (!records(commit) || lost > 0) return result;
    lost += 1;
    throw new Error("the connection broke before the answer came");
  };
  const [id = ""] = await send("f");
  await world.clock.advance(5_000);
  expect(lost).toBe(1);
  expect((await world.health("wh_1")).consecutive_failures).toBe(6);
  expect((await world.delivery(id)).attempts).toHaveLength(1);
  const waiting = (await world.queued()).filter(({ key }) => key.at(-1) === id);
  expect(waiting.map(({ key }) => key.at(-2))).toEqual([(await world.delivery(id)).next_attempt_at]);
  expect(await world.logged(id)).toEqual([["pending", "event"]]);
  expect(world.notices.map(({ type }) => type)).toEqual(["failing"]);
  await world.clock.advance(30 * 60_000);
  expect(world.transport.counts().get(id)).toBeLessThanOrEqual(6);
  await scheduler.close();
});

it("a commit that happens after it was given up, and looked for, does not count twice", async () => {
  let random = 0;
  const { world, store, scheduler, send } = await faultyWorld({
    random: () => (random = (random + 0.37) % 1),
  });
  world.transport.answerWith(() => answered(500));
  let late: (() => Promise<unknown>) | undefined;
  let failed = 0;
  store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit) || failed > 0) return commitNow();
    failed += 1;
    late = commitNow;
    throw new Error("no answer came in time");
  };
  store.onGetMany = async (asked, getNow) => {
    const found = await getNow();
    // It is looked for in vain, and comes right after that.
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
  await scheduler.close();
});

it("a mail about what was recorded is written, though the lease went while that was in doubt", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
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
  await scheduler.close();
});

it("what another worker has recorded while one's own commit was in doubt is not told of as one's own", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
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
  if (queued === undefined) throw new Error("the delivery is still queued");
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
  await scheduler.close();
});

it("somebody who is told of attempts or notices and throws does not make an attempt count twice", async () => {
  const { world, scheduler, send } = await faultyWorld({
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
  expect(world.faults).toHaveLength(7);
  expect((await world.queued()).length).toBe(6);
  await scheduler.close();
});

it("a webhook that is changed while its attempt is recorded keeps the change, and the attempt is counted", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
  let changed = false;
  store.onCommit = async (_, commit, commitNow) => {
    if (records(commit) && !changed) {
      changed = true;
      await world.changeWebhook("wh_1", { status: "paused" });
    }
    return commitNow();
  };
  world.transport.answerWith(() => answered(500));
  await send("ord_1");
  expect((await world.webhook("wh_1"))?.status).toBe("paused");
  expect((await world.health("wh_1")).consecutive_failures).toBe(1);
  await scheduler.close();
});

it("a lost fence writes nothing, is noticed at the first commit, and stops the queue", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
  const answers = Array.from({ length: 40 }, hanging);
  let next = 0;
  world.transport.answerWith(() => answers[next++]?.answer ?? answered(200));
  const ids = await send(...Array.from({ length: 40 }, (_, index) => `ord_${index}`));
  await takeLeaseAway(world, { forMs: 60_000 });
  let commits = 0;
  store.onCommit = (_, __, commitNow) => {
    commits += 1;
    return commitNow();
  };
  for (const { give } of answers.slice(0, 8)) give(answered(200));
  await world.clock.advance(0);
  expect(commits).toBe(1);
  expect(world.transport.sent).toHaveLength(8);
  for (const { give } of answers.slice(8)) give(answered(200));
  expect(await store.list({ prefix: [partition, "delivery"], limit: 9 })).toEqual([]);
  expect(await store.list({ prefix: [partition, "webhook-health"], limit: 9 })).toEqual([]);
  expect(await store.list({ prefix: [partition, "fresh"], limit: 99 })).toHaveLength(ids.length);
  await world.clock.advance(10_000);
  expect(world.transport.sent).toHaveLength(8);
  expect(scheduler.stats).toMatchObject({ partitions: 0, unrecorded: 0, sending: 0, lanes: 0 });
  await scheduler.close();
});

it("an answer that comes after its partition was lost and won back leaves the new attempt alone", async () => {
  const { world, scheduler, send } = await faultyWorld();
  const answers = Array.from({ length: 9 }, hanging);
  let next = 0;
  world.transport.answerWith(() => answers[next++]?.answer ?? answered(200));
  await send("ord_1");
  expect(world.transport.sent).toHaveLength(1);
  await takeLeaseAway(world, { forMs: 6_000 });
  await world.clock.advance(9_000);
  expect(scheduler.stats.partitions).toBe(1);
  expect(world.transport.sent).toHaveLength(2);
  answers[0]?.give(answered(200));
  await world.clock.advance(5_000);
  expect(world.transport.sent).toHaveLength(2);
  answers[1]?.give(answered(200));
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual([]);
  expect(scheduler.stats).toMatchObject({ unrecorded: 0, sending: 0 });
  await scheduler.close();
});

it("a commit that fails after its partition was lost and won back leaves the new lease alone", async () => {
  const { world, store, scheduler, send } = await faultyWorld();
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
  expect(scheduler.stats.partitions).toBe(1);
  expect(world.transport.sent).toHaveLength(2);
  letCommit();
  await world.clock.advance(0);
  expect(scheduler.stats.partitions).toBe(1);
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual([]);
  expect(world.transport.sent).toHaveLength(2);
  expect(scheduler.stats).toMatchObject({ unrecorded: 0, sending: 0 });
  await scheduler.close();
});

it("what was begun under a lease is not recorded under a later one: another worker may have recorded it", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  const { clock, store } = world;
  const lost: unknown[] = [];
  let fence: Check = { key: keys.lease(partition), value: "first" };
  await put(store, [[fence.key, "second"]]);
  const recorder = createRecorder({
    store,
    partition,
    fence: () => fence,
    retryDelaysSeconds: [15],
    random: () => 0.5,
    clock,
    moments: createRecordingMoments({ clock, retryDelaysSeconds: [15] }),
    onRecorded: () => expect.fail("nothing may be recorded"),
    onLost: (finished, under) => lost.push(...finished.map(({ delivery }) => [delivery.record_id, under])),
    onNotice: () => {},
    onFault: () => {},
  });
  const cancelled = (delivery: DeliveryRow): Finished => ({
    lane: { accountId, event, webhookId: "wh_1" },
    place: { type: "fresh" },
    delivery,
    endedAt: clock.now(),
    outcome: { type: "cancelled", reason: "record_deleted" },
  });
  const published = await world.publish("wh_1", "ord_1", "ord_2", "ord_3", "ord_4", "ord_5");
  const [one, two, three, four, five] = published.map(cancelled);
  if (!one || !two || !three || !four || !five) throw new Error("five were published");
  store.onCommit = () => Promise.reject(new Error("the store is away"));
  recorder.add(one);
  await clock.advance(0);
  recorder.add(two);
  // Lost and won back while the store was away.
  const first = fence;
  fence = { key: first.key, value: "second" };
  store.onCommit = undefined;
  await clock.advance(1_000);
  expect(lost.toSorted()).toEqual([
    ["ord_1", first],
    ["ord_2", first],
  ]);
  expect(await world.queued()).toHaveLength(5);
  recorder.add(three);
  fence = { key: first.key, value: "third" };
  await clock.advance(1_000);
  expect(lost.slice(2)).toEqual([["ord_3", { key: first.key, value: "second" }]]);
  recorder.add(four);
  fence = { key: first.key, value: "fourth" };
  recorder.add(five);
  expect(lost.slice(3)).toEqual([["ord_4", { key: first.key, value: "third" }]]);
  await clock.advance(1_000);
  expect(lost.slice(4)).toEqual([["ord_5", { key: first.key, value: "fourth" }]]);
});

it("what was read for its turn is not sent once the lease has run out meanwhile", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler();
  await scheduler.start();
  let answer = (): void => {};
  world.store.onGetMany = async (names, next) => {
    if (names.some(([, kind]) => kind === "signing-secret"))
      await new Promise<void>((resolve) => (answer = resolve));
    return next();
  };
  scheduler.offer("acc_1", await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
  // The process, or its store, stands still for longer than the lease.
  world.clock.jump(60_000);
  world.store.onGetMany = undefined;
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect(world.transport.sent).toEqual([]);
  await world.clock.advance(20_000);
  expect(world.transport.sent).toHaveLength(1);
  await scheduler.close();
});
