import type { Commit } from "@hookwright/storage";
import { expect, it } from "vitest";
import { createDelivery, toQueueMutations } from "../../src/enqueue.ts";
import { sumPoints } from "../../src/ledger/counts.ts";
import { readLedger } from "../../src/ledger/read-ledger.ts";
import type { LedgerQuery } from "../../src/ledger/read-ledger.ts";
import { parseDeliveryRow } from "../../src/storage/delivery-codec.ts";
import { keys } from "../../src/storage/keys.ts";
import { answered, hanging } from "../support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "../support/fake-world.ts";
import type { World } from "../support/fake-world.ts";
import { toFaultyStore } from "../support/faulty-store.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The ledger of the last hour. */
function read({ store, clock }: Pick<World, "store" | "clock">, query: Partial<LedgerQuery> = {}) {
  const now = clock.now();
  return readLedger(store, {
    accountId,
    since: now - 59 * minuteMs,
    until: now + 1,
    stepSeconds: 60,
    now,
    ...query,
  });
}

/** The minutes that have events, relative to the present one. */
async function points(world: Pick<World, "store" | "clock">) {
  const { all } = await read(world);
  expect(all).toHaveLength(60);
  return all.flatMap(({ counts: { due, delivered, failed, cancelled, attempts } }, index) =>
    due === 0 ? [] : [{ at: index - 59, delivered, failed, cancelled, attempts }],
  );
}

async function totals(world: Pick<World, "store" | "clock">, query: Partial<LedgerQuery> = {}) {
  const { durations: _, ...counts } = sumPoints((await read(world, query)).all);
  return counts;
}

/** The same counts from the delivery log. */
async function totalsOfLog({ store }: Pick<World, "store">) {
  const rows = await store.list({ prefix: keys.deliveries(accountId), limit: 10_000 });
  const deliveries = rows.map(({ value }) => parseDeliveryRow(value)).filter(({ kind }) => kind !== "test");
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const withStatus = (status: string) => deliveries.filter((delivery) => delivery.status === status).length;
  return {
    due: deliveries.length,
    delivered: withStatus("delivered"),
    failed: withStatus("failed"),
    cancelled: withStatus("cancelled"),
    retried: attempts.filter(({ number }) => number > 1).length,
    firstAccepted: attempts.filter(({ number, error }) => number === 1 && error === null).length,
    attempts: attempts.length,
    failedAttempts: attempts.filter(({ error }) => error !== null).length,
  };
}

it("an event counts for the minute in which it was published, whenever it ends", async () => {
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
  expect(await totals(world)).toMatchObject({ due: 3, delivered: 2, pending: 1, attempts: 3, retried: 0 });
  world.transport.answerWith(() => answered(500));
  await world.clock.advance(minuteMs + 1_000);
  world.transport.answerWith(() => answered(200));
  await world.clock.advance(2 * minuteMs);
  await publish("ord_4");
  expect(await points(world)).toEqual([
    { at: -3, delivered: 2, failed: 1, cancelled: 0, attempts: 4 },
    { at: 0, delivered: 1, failed: 0, cancelled: 0, attempts: 1 },
  ]);
  const all = { ...(await totalsOfLog(world)), pending: 0, notSent: 0 };
  expect(all).toMatchObject({ due: 4, delivered: 3, failed: 1, attempts: 5, retried: 1 });
  for (const stepSeconds of [60, 300, 900, 3_600, 21_600])
    expect(await totals(world, { stepSeconds })).toEqual(all);
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
  expect(await points(world)).toEqual([{ at: 0, delivered: 0, failed: 1, cancelled: 2, attempts: 1 }]);
  const { byWebhook } = await read(world, { webhookIds: ["wh_1", "wh_2", "wh_3"] });
  const sums = [...byWebhook].map(([id, series]) => [
    id,
    sumPoints(series).failed,
    sumPoints(series).cancelled,
  ]);
  expect(sums).toEqual([
    ["wh_1", 0, 2],
    ["wh_2", 1, 0],
    ["wh_3", 0, 0],
  ]);
});

it("every row of the ledger expires", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await using worker = world.worker();
  await worker.start();
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
  const published = Math.floor(world.clock.now() / minuteMs) * minuteMs;
  const rows = () => world.store.list({ prefix: [partition, "ledger-open"], limit: 10 });
  const keptMs = 31 * dayMs + 6 * 60 * minuteMs;
  world.clock.jump(published + keptMs - 1 - world.clock.now());
  expect(await rows()).toHaveLength(2);
  world.clock.jump(1);
  expect(await rows()).toEqual([]);
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
  expect(await totals(world)).toMatchObject({ ...(await totalsOfLog(world)), delivered: 4 });
});

it("a commit of cancelled deliveries that arrives after it was repeated does not count again", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  await using worker = world.worker();
  await worker.start();
  world.refuseMessages("record_deleted");
  let late: (() => Promise<unknown>) | undefined;
  world.store.onCommit = async (_, commit, commitNow) => {
    if (late !== undefined || !records(commit)) return commitNow();
    late = commitNow;
    throw new Error("no response came in time");
  };
  worker.offer(accountId, await world.publish("wh_1", "ord_1", "ord_2"));
  await world.clock.advance(5_000);
  expect(await totals(world)).toMatchObject({ due: 2, cancelled: 2 });
  expect(await late?.()).toMatchObject({ ok: false });
  expect(await totals(world)).toMatchObject({ due: 2, cancelled: 2 });
});

it("the ledger agrees with the log after a worker is killed and another one takes over", async () => {
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
  expect(await totals(world)).toMatchObject(log);
});
