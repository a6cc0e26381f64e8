import type { Commit, Entry } from "@hookwright/storage";
import { expect, it } from "vitest";
import { createDelivery, toQueueMutations } from "../../src/enqueue.ts";
import { percentiles, seriesSteps } from "../../src/series/bucket.ts";
import type { StepSeconds } from "../../src/series/bucket.ts";
import { readSeries, sumSeries } from "../../src/series/read-series.ts";
import { parseDeliveryRow } from "../../src/storage/codec.ts";
import { keys } from "../../src/storage/keys.ts";
import { answered, hanging } from "../support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "../support/fake-world.ts";
import type { World } from "../support/fake-world.ts";
import { toFaultyStore } from "../support/faulty-store.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const lengths: Record<StepSeconds, number> = { 60: 60, 900: 96, 3_600: 168, 21_600: 120 };

/** The points of a series that have a count. `at` is relative to the beginning of the last bucket, in steps. */
async function points({ store, clock }: Pick<World, "store" | "clock">, stepSeconds: StepSeconds) {
  const length = lengths[stepSeconds];
  const { all } = await readSeries(store, { accountId, stepSeconds, length, now: clock.now() });
  expect(all).toHaveLength(length);
  return all.flatMap(({ counts: { delivered, failed, cancelled, attempts } }, index) =>
    attempts + cancelled === 0 ? [] : [{ at: index - length + 1, delivered, failed, cancelled, attempts }],
  );
}

async function totals(world: Pick<World, "store" | "clock">, stepSeconds: StepSeconds = 21_600) {
  const length = lengths[stepSeconds];
  const { all } = await readSeries(world.store, { accountId, stepSeconds, length, now: world.clock.now() });
  const { durations, ...counts } = sumSeries(all);
  return { ...counts, ...percentiles({ ...counts, durations }) };
}

/** The same counts from the delivery log. */
async function totalsOfLog({ store }: Pick<World, "store">) {
  const rows = await store.list({ prefix: keys.deliveries(accountId), limit: 10_000 });
  const deliveries = rows.map(({ value }) => parseDeliveryRow(value)).filter(({ kind }) => kind !== "test");
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const withStatus = (status: string) => deliveries.filter((delivery) => delivery.status === status).length;
  return {
    delivered: withStatus("delivered"),
    failed: withStatus("failed"),
    cancelled: withStatus("cancelled"),
    attempts: attempts.length,
    failedAttempts: attempts.filter(({ error }) => error !== null).length,
  };
}

const seriesRows = ({ store }: Pick<World, "store">, table: string): Promise<Entry[]> =>
  store.list({ prefix: [partition, table], limit: 10_000 });

it("results are counted in the bucket in which they ended, in every step", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await using worker = world.worker({ retryDelaysSeconds: [60] });
  await worker.start();
  const publish = async (...ids: string[]) => {
    worker.offer(accountId, await world.publish("wh_1", ...ids));
    await world.clock.advance(0);
  };
  world.transport.answerWith(() => answered(500));
  await publish("ord_1");
  world.transport.answerWith(() => answered(200));
  await publish("ord_2", "ord_3");
  expect(await points(world, 60)).toEqual([{ at: 0, delivered: 2, failed: 0, cancelled: 0, attempts: 3 }]);
  world.transport.answerWith(() => answered(500));
  await world.clock.advance(minuteMs + 1_000);
  world.transport.answerWith(() => answered(200));
  await world.clock.advance(2 * minuteMs);
  await publish("ord_4");
  const first = { delivered: 2, failed: 0, cancelled: 0, attempts: 3 };
  const second = { delivered: 0, failed: 1, cancelled: 0, attempts: 1 };
  const last = { delivered: 1, failed: 0, cancelled: 0, attempts: 1 };
  expect(await points(world, 60)).toEqual([
    { at: -3, ...first },
    { at: -2, ...second },
    { at: 0, ...last },
  ]);
  const sum = { at: 0, delivered: 3, failed: 1, cancelled: 0, attempts: 5 };
  for (const step of [900, 3_600, 21_600] as const) expect(await points(world, step)).toEqual([sum]);
  expect(await totals(world)).toEqual({ ...(await totalsOfLog(world)), p50_ms: 13, p95_ms: 13 });
});

it("cancelled deliveries are counted, those of a removed webhook too, and tests are not", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await world.addWebhook("wh_2");
  await using worker = world.worker();
  await worker.start();
  world.refuseMessages("record_deleted");
  worker.offer(accountId, await world.publish("wh_1", "ord_1", "ord_2"));
  await world.clock.advance(0);
  world.refuseMessages(undefined);
  world.transport.answerWith(() => answered(410));
  worker.offer(accountId, await world.publish("wh_2", "ord_3"));
  await world.clock.advance(1_000);
  const test = createDelivery({
    id: "dlv_99999999",
    webhook: { id: "wh_1", event, target_url: "https://wh_1.example.com/" },
    event,
    recordId: "test_1",
    recordArrival: 0,
    projectId: "site_1",
    kind: "test",
    now: world.clock.now(),
  });
  await world.store.commit(partition, { mutations: toQueueMutations(accountId, test) });
  world.transport.answerWith(() => answered(200));
  worker.offer(accountId, [test]);
  await world.clock.advance(1_000);
  expect((await world.delivery(test.id)).status).toBe("delivered");
  expect(await world.webhook("wh_2")).toBeUndefined();
  expect(await points(world, 60)).toEqual([{ at: 0, delivered: 0, failed: 1, cancelled: 2, attempts: 1 }]);
  const { byWebhook } = await readSeries(world.store, {
    accountId,
    webhookIds: ["wh_1", "wh_2", "wh_3"],
    stepSeconds: 60,
    length: 60,
    now: world.clock.now(),
  });
  const sums = [...byWebhook].map(([id, series]) => [
    id,
    sumSeries(series).failed,
    sumSeries(series).cancelled,
  ]);
  expect(sums).toEqual([
    ["wh_1", 0, 2],
    ["wh_2", 1, 0],
    ["wh_3", 0, 0],
  ]);
});

it.each(seriesSteps)("a bucket of $seconds s is kept for $keptSeconds s after it ended", async (step) => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await using worker = world.worker();
  await worker.start();
  const deliver = async (id: string) => {
    worker.offer(accountId, await world.publish("wh_1", id));
    await world.clock.advance(0);
  };
  await deliver("ord_1");
  const at = Math.floor(world.clock.now() / (step.seconds * 1_000)) * step.seconds * 1_000;
  const isKept = async () =>
    (await seriesRows(world, "series")).some(({ key }) => key[3] === step.seconds && key[5] === at);
  const end = at + step.seconds * 1_000;
  world.clock.jump(end - world.clock.now());
  await worker.close();
  await using next = world.worker();
  await next.start();
  next.offer(accountId, await world.publish("wh_1", "ord_2"));
  await world.clock.advance(0);
  expect(await isKept()).toBe(true);
  const keptMs = step.keptSeconds * 1_000;
  world.clock.jump(end + keptMs - 1 - world.clock.now());
  expect(await isKept()).toBe(true);
  world.clock.jump(1);
  expect(await isKept()).toBe(false);
});

it("every row of a webhook without traffic expires", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await using worker = world.worker();
  await worker.start();
  for (const id of ["ord_1", "ord_2"]) {
    worker.offer(accountId, await world.publish("wh_1", id));
    await world.clock.advance(minuteMs);
  }
  expect((await seriesRows(world, "series")).length).toBe(1);
  expect((await seriesRows(world, "series-open")).length).toBe(1);
  world.clock.jump(32 * dayMs);
  expect(await seriesRows(world, "series")).toEqual([]);
  expect(await seriesRows(world, "series-open")).toEqual([]);
  await worker.close();
  await using next = world.worker();
  await next.start();
  next.offer(accountId, await world.publish("wh_1", "ord_3"));
  await world.clock.advance(0);
  expect(await totals(world)).toMatchObject({ delivered: 1, attempts: 1 });
});

it("a worker whose clock is behind that of the last one loses no counts", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const deliver = async (id: string) => {
    const worker = world.worker();
    await worker.start();
    worker.offer(accountId, await world.publish("wh_1", id));
    await world.clock.advance(0);
    await worker.close();
  };
  await deliver("ord_1");
  world.clock.jump(2 * minuteMs);
  await deliver("ord_2");
  world.clock.jump(-2 * minuteMs);
  await deliver("ord_3");
  world.clock.jump(2 * minuteMs);
  await deliver("ord_4");
  const counted = { delivered: 2, failed: 0, cancelled: 0, attempts: 2 };
  expect(await points(world, 60)).toEqual([
    { at: -2, ...counted },
    { at: 0, ...counted },
  ]);
});

const records = ({ mutations }: Commit): boolean => mutations.some(({ key }) => key[1] === "delivery");

it.each([
  { name: "happened", happens: true },
  { name: "did not happen", happens: false },
])("results are counted once if a commit ends with an error and $name", async ({ happens }) => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  await using worker = world.worker();
  await worker.start();
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(minuteMs);
  let failed = 0;
  world.store.onCommit = async (_, commit, commitNow) => {
    if (!records(commit) || failed > 0) return commitNow();
    failed += 1;
    if (happens) await commitNow();
    throw new Error("no response came in time");
  };
  worker.offer(accountId, await world.publish("wh_1", "ord_2", "ord_3"));
  await world.clock.advance(5_000);
  worker.offer(accountId, await world.publish("wh_1", "ord_4"));
  await world.clock.advance(5_000);
  expect(failed).toBe(1);
  expect(await totals(world, 60)).toMatchObject({ ...(await totalsOfLog(world)), delivered: 4 });
});

it("series agree with the log after a worker is killed and another one takes over", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await world.addWebhook("wh_2");
  const store = toFaultyStore(world.store);
  const killed = world.worker({ store });
  await killed.start();
  world.transport.answerWith(({ headers }) =>
    answered(Number(headers["x-service-delivery"]?.slice(-1)) % 2 === 0 ? 200 : 500),
  );
  killed.offer(accountId, await world.publish("wh_1", "ord_1", "ord_2", "ord_3"));
  killed.offer(accountId, await world.publish("wh_2", "ord_4", "ord_5"));
  await world.clock.advance(1_000);
  const late = hanging();
  world.transport.answerWith(() => late.answer);
  killed.offer(accountId, await world.publish("wh_1", "ord_6", "ord_7"));
  await world.clock.advance(0);
  // From now on, nothing of this worker reaches the store.
  store.onCommit = () => new Promise(() => {});
  late.give(answered(200));
  await world.clock.advance(0);
  world.transport.answerWith(() => answered(200));
  await using next = world.worker({
    worker: { id: "worker_2", host: "there", process: 2 },
  });
  await next.start();
  await world.clock.advance(10 * minuteMs);
  expect(await world.queued()).toEqual([]);
  const log = await totalsOfLog(world);
  expect(log).toMatchObject({ delivered: 7, failedAttempts: 3 });
  for (const { seconds } of seriesSteps) expect(await totals(world, seconds)).toMatchObject(log);
});

it("a damaged row of a series is reported, and blocks nothing", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const key = keys.openBuckets({ accountId, webhookId: "wh_1" });
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  await using worker = world.worker();
  await worker.start();
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(1_000);
  expect(world.errors.map(String)).toEqual([
    "Error: the series of webhook wh_1 cannot be read and starts again at zero",
  ]);
  expect(await totals(world)).toMatchObject({ delivered: 1, attempts: 1 });
});
