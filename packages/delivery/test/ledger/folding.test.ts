import { expect, it } from "vitest";
import { foldLedger } from "../../src/ledger/fold-ledger.ts";
import { sumPoints } from "../../src/ledger/counts.ts";
import { readLedger } from "../../src/ledger/read-ledger.ts";
import { expiryOf, ledgerSteps, startOf } from "../../src/ledger/steps.ts";
import { readLedgerTotals } from "../../src/ledger/totals.ts";
import { keys } from "../../src/storage/keys.ts";
import { answered } from "../support/fake-transport.ts";
import { accountId, createWorld, partition } from "../support/fake-world.ts";
import type { World } from "../support/fake-world.ts";
import { toFaultyStore } from "../support/faulty-store.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function readAll({ store, clock }: Pick<World, "store" | "clock">, stepSeconds = 21_600) {
  const now = clock.now();
  const query = { accountId, webhookIds: ["wh_1", "wh_2"], since: now - 24 * hourMs, until: now + 1, now };
  return readLedger(store, { ...query, stepSeconds });
}

const fold = ({ store, clock }: Pick<World, "store" | "clock">, limit = 500) =>
  foldLedger(store, {
    accountId,
    before: clock.now(),
    now: clock.now(),
    limit,
    onUnreadable(error) {
      throw error;
    },
  });

const rows = ({ store }: Pick<World, "store">, table: string) =>
  store.list({ prefix: [partition, table], limit: 10_000 });

/** Publishes for two webhooks and lets a minute pass. */
async function deliver(world: World, ...ids: string[]) {
  await using worker = world.worker({ retryDelaysSeconds: [15] });
  await worker.start();
  worker.offer(accountId, await world.publish("wh_1", ...ids));
  worker.offer(accountId, await world.publish("wh_2", ...ids));
  await world.clock.advance(40_000);
  await worker.close();
}

async function openWorld() {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  await world.addWebhook("wh_2");
  world.transport.answerWith(({ targetUrl }) => answered(targetUrl.includes("wh_1") ? 200 : 500));
  return world;
}

it("a fold changes no number, in any step, and no row of earlier minutes is left", async () => {
  const world = await openWorld();
  await deliver(world, "ord_1", "ord_2");
  world.clock.jump(hourMs);
  await deliver(world, "ord_3");
  world.clock.jump(minuteMs);
  const before = await Promise.all(ledgerSteps.map(({ seconds }) => readAll(world, seconds)));
  expect(await fold(world, 3)).toBe("more");
  expect(await fold(world)).toBe("done");
  expect(await rows(world, "ledger-open")).toEqual([]);
  expect(await Promise.all(ledgerSteps.map(({ seconds }) => readAll(world, seconds)))).toEqual(before);
});

it("the totals of an account are the sums of its ledger, and end with it", async () => {
  const world = await openWorld();
  await deliver(world, "ord_1", "ord_2");
  world.clock.jump(hourMs);
  await deliver(world, "ord_3");
  world.clock.jump(minuteMs);
  await fold(world, 3);
  await fold(world);
  const read = (since: number) => readLedgerTotals(world.store, { partitions: [partition], since });
  const { due, delivered, pending, failed, cancelled, notSent } = sumPoints((await readAll(world)).all);
  const now = world.clock.now();
  const totals = await read(now - 24 * hourMs);
  expect([...totals.keys()]).toEqual([accountId]);
  expect(due).toBe(6);
  expect(totals.get(accountId)).toMatchObject({ due, delivered, pending, failed, cancelled, notSent });
  expect(await read(now + 6 * hourMs)).toEqual(new Map());
  world.clock.jump(32 * 24 * hourMs);
  await deliver(world, "ord_4");
  world.clock.jump(minuteMs);
  await fold(world);
  expect((await read(0)).get(accountId)?.due).toBe(2);
});

it.each(ledgerSteps)("a row of $seconds s is kept for $keptSeconds s after its end", async (step) => {
  const world = await openWorld();
  const at = startOf(world.clock.now(), step.seconds);
  await deliver(world, "ord_1");
  world.clock.jump(minuteMs);
  await fold(world);
  const isKept = async () => {
    const key = keys.ledgerRow(accountId, step.seconds, "wh_1", at / minuteMs);
    return (await world.store.get(key)) !== undefined;
  };
  world.clock.jump(expiryOf(at, step) - 1 - world.clock.now());
  expect(await isKept()).toBe(true);
  world.clock.jump(1);
  expect(await isKept()).toBe(false);
});

it("two folds at once, or a fold and a result, count nothing twice", async () => {
  const world = await openWorld();
  await deliver(world, "ord_1");
  world.clock.jump(minuteMs);
  const before = await readAll(world);
  let isFirst = true;
  world.store.onCommit = async (_, __, commitNow) => {
    if (isFirst) {
      isFirst = false;
      expect(await fold(world)).toBe("done");
    }
    return commitNow();
  };
  expect(await fold(world)).toBe("conflict");
  expect(await readAll(world)).toEqual(before);
});

it("a fold that happens while the ledger is read is counted once", async () => {
  const world = await openWorld();
  await deliver(world, "ord_1");
  world.clock.jump(minuteMs);
  const before = await readAll(world);
  for (const table of ["ledger-open", "ledger"]) {
    let isFirst = true;
    const store = Object.create(world.store, {
      list: {
        value: async (options: Parameters<typeof world.store.list>[0]) => {
          const found = await world.store.list(options);
          if (isFirst && options.prefix[1] === table) {
            isFirst = false;
            await fold(world);
          }
          return found;
        },
      },
    });
    expect(await readAll({ store, clock: world.clock })).toEqual(before);
  }
});

it("the worker folds the sums of a quiet account after two hours, and those of a busy one at once", async () => {
  const world = await openWorld();
  await using worker = world.worker();
  await worker.start();
  const publish = async (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `ord_${index}`);
    worker.offer(accountId, await world.publish("wh_1", ...ids));
    await world.clock.advance(3 * minuteMs);
  };
  await publish(1);
  await world.clock.advance(hourMs);
  expect(await rows(world, "ledger")).toEqual([]);
  await world.clock.advance(hourMs);
  expect(await rows(world, "ledger-open")).toEqual([]);
  expect((await rows(world, "ledger")).length).toBeGreaterThan(0);
  await publish(600);
  expect(await rows(world, "ledger-open")).toEqual([]);
  const { all } = await readAll(world);
  expect(all.map(({ counts }) => counts.delivered).filter((count) => count > 0)).toEqual([601]);
});

it("a damaged row is reported, starts again, and blocks nothing", async () => {
  const world = await openWorld();
  await using worker = world.worker();
  await worker.start();
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
  const minute = startOf(world.clock.now(), 21_600) / minuteMs;
  const key = keys.ledgerRow(accountId, 21_600, "wh_1", minute);
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  await world.clock.advance(3 * hourMs);
  expect(world.errors.map(String)).toEqual([
    "Error: a row of the ledger of account acc_1 starts again at zero",
  ]);
  const { all } = await readAll(world);
  expect(all.reduce((sum, { counts }) => sum + counts.delivered, 0)).toBe(1);
});
