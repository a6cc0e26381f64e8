import { partitionOf } from "@hookwright/storage";
import { expect, it } from "vitest";
import { toLedgerMutations, toMissedEntry } from "../../src/ledger/count.ts";
import { foldLedger } from "../../src/ledger/fold-ledger.ts";
import { sumPoints } from "../../src/ledger/counts.ts";
import { readLedger } from "../../src/ledger/read-ledger.ts";
import { expiryOf, ledgerSteps, startOf } from "../../src/ledger/steps.ts";
import { readLedgerTotals } from "../../src/ledger/totals.ts";
import { keys } from "../../src/storage/keys.ts";
import { rest } from "../support/fake-clock.ts";
import { answered } from "../support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "../support/fake-world.ts";
import type { World } from "../support/fake-world.ts";
import { toFaultyStore } from "../support/faulty-store.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const place = { accountId, webhookId: "wh_1", projectId: "site_1" };

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

/** Events that as many sites missed. */
async function countMissed({ store, clock }: World, sites: number, at = clock.now(), of = accountId) {
  const entries = Array.from({ length: sites }, (_, index) =>
    toMissedEntry({ accountId: of, webhookId: "wh_1", projectId: `site_${index}`, event, at }),
  );
  await store.commit(partition, { mutations: toLedgerMutations(entries) });
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
  const read = (since: number) =>
    readLedgerTotals(world.store, { partitions: [partition], since, now: world.clock.now() });
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

it("the totals of accounts begin with their quarter of an hour, have what is not folded, and survive a damaged row", async () => {
  const world = await openWorld();
  const read = async () => {
    const now = world.clock.now();
    const totals = await readLedgerTotals(world.store, {
      partitions: [partition],
      since: now - hourMs,
      now,
    });
    return [...totals].map(([id, { notSent }]) => [id, notSent]);
  };
  await countMissed(world, 5);
  world.clock.jump(2 * hourMs);
  await countMissed(world, 3);
  expect(await read()).toEqual([[accountId, 3]]);
  world.clock.jump(minuteMs);
  await fold(world);
  await countMissed(world, 1);
  expect(await read()).toEqual([[accountId, 4]]);
  const key = keys.ledgerTotals(accountId);
  const damaged = '{"900 1":{"n":-1}}';
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: damaged }] });
  expect(await read()).toEqual([[accountId, 1]]);
});

it.each(ledgerSteps)("a row of $seconds s is kept for $keptSeconds s after its end", async (step) => {
  const world = await openWorld();
  const at = startOf(world.clock.now(), step.seconds);
  await deliver(world, "ord_1");
  world.clock.jump(minuteMs);
  await fold(world);
  const isKept = async () => {
    const key = keys.ledgerRow(place, step.seconds, at / minuteMs);
    return (await world.store.get(key)) !== undefined;
  };
  world.clock.jump(expiryOf(at, step) - 1 - world.clock.now());
  expect(await isKept()).toBe(true);
  world.clock.jump(1);
  expect(await isKept()).toBe(false);
});

it("two folds at once count nothing twice", async () => {
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

it("a result that is counted during a fold is not lost", async () => {
  const world = await openWorld();
  const at = world.clock.now();
  await countMissed(world, 3, at);
  world.clock.jump(minuteMs);
  world.store.onCommit = async (_, __, commitNow) => {
    world.store.onCommit = undefined;
    await countMissed(world, 1, at);
    return commitNow();
  };
  expect(await fold(world)).toBe("conflict");
  expect(await fold(world)).toBe("done");
  expect(sumPoints((await readAll(world)).all).notSent).toBe(4);
});

it("a fold that happens while the ledger is read is counted once", async () => {
  const world = await openWorld();
  let missed = 0;
  for (const table of ["ledger-open", "ledger"]) {
    await countMissed(world, 1);
    missed += 1;
    world.clock.jump(minuteMs);
    let folds = 0;
    world.store.onList = async (options, next) => {
      const found = await next(options);
      if (folds === 0 && options.prefix[1] === table) {
        folds += 1;
        expect(await fold(world)).toBe("done");
      }
      return found;
    };
    expect(sumPoints((await readAll(world)).all).notSent).toBe(missed);
    expect(folds).toBe(1);
    world.store.onList = undefined;
    expect(await rows(world, "ledger-open")).toEqual([]);
  }
});

it("a read that meets a fold each time ends with an error, not with wrong numbers", async () => {
  const world = await openWorld();
  world.store.onList = async (options, next) => {
    const found = await next(options);
    if (options.prefix[1] === "ledger" && options.groupBy === undefined) {
      world.store.onList = undefined;
      await countMissed(world, 1, world.clock.now() - minuteMs);
      await fold(world);
      world.store.onList = foldAgain;
    }
    return found;
  };
  const foldAgain = world.store.onList;
  await expect(readAll(world)).rejects.toMatchObject({
    code: "unavailable",
    message: "the ledger of account acc_1 changed in each of 20 reads: try again",
  });
});

it("a row has the events of one webhook and site, however many there are", async () => {
  const world = await openWorld();
  await countMissed(world, 400);
  world.clock.jump(minuteMs);
  expect(await fold(world)).toBe("done");
  const folded = await rows(world, "ledger");
  expect(folded).toHaveLength(4 * 400);
  expect(new Set(folded.map(({ value }) => value))).toEqual(new Set(['{"order.created":{"n":1}}']));
});

it("a fold of large rows takes fewer sums", async () => {
  const world = await openWorld();
  await countMissed(world, 8);
  world.clock.jump(minuteMs);
  await fold(world);
  const large = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`event_${index}`, { n: 1 }]),
  );
  const value = JSON.stringify(large);
  const mutations = (await rows(world, "ledger")).map(({ key }) => ({ type: "set" as const, key, value }));
  await world.store.commit(partition, { mutations });
  await countMissed(world, 8, world.clock.now() - minuteMs);
  const sizes: number[] = [];
  world.store.onCommit = (_, { mutations: made }, commitNow) => {
    sizes.push(made.reduce((sum, each) => sum + (each.type === "set" ? each.value.length : 0), 0));
    return commitNow();
  };
  while ((await fold(world)) === "more");
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
  expect(await rows(world, "ledger-open")).toEqual([]);
});

it("the worker folds the sums of a quiet account after two hours", async () => {
  const world = await openWorld();
  await using worker = world.worker();
  await worker.start();
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(hourMs);
  expect(await rows(world, "ledger")).toEqual([]);
  await world.clock.advance(hourMs + 15 * minuteMs);
  expect(await rows(world, "ledger-open")).toEqual([]);
  const { all } = await readAll(world);
  expect(sumPoints(all).delivered).toBe(1);
});

it("an account with many sums is folded within minutes, and then each minute, also if nothing is sent", async () => {
  const world = await openWorld();
  await using worker = world.worker();
  await worker.start();
  await countMissed(world, 600);
  await world.clock.advance(12 * minuteMs);
  expect(await rows(world, "ledger-open")).toEqual([]);
  await countMissed(world, 600);
  await world.clock.advance(12 * minuteMs);
  await countMissed(world, 600);
  await world.clock.advance(2 * minuteMs);
  expect(await rows(world, "ledger-open")).toHaveLength(0);
  expect(sumPoints((await readAll(world)).all).notSent).toBe(1_800);
});

it("folds of an account pause, so that the ledger can be read in between", async () => {
  const world = await openWorld();
  await countMissed(world, 6_000);
  const times: number[] = [];
  world.store.onCommit = (_, { mutations }, commitNow) => {
    if (mutations.some(({ key }) => key[1] === "ledger-folds")) times.push(world.clock.now());
    return commitNow();
  };
  await using worker = world.worker();
  await worker.start();
  await world.clock.advance(3 * hourMs);
  expect(await rows(world, "ledger-open")).toEqual([]);
  const [first = 0] = times;
  expect(times.filter((time) => time < first + 2_000)).toHaveLength(10);
  expect(times.length).toBeGreaterThan(10);
});

it("an account that cannot be folded keeps no other account", async () => {
  const world = await openWorld();
  let number = 0;
  while (partitionOf(`acc_0${number}`) !== partition) number += 1;
  const other = `acc_0${number}`;
  await countMissed(world, 1, world.clock.now(), other);
  await countMissed(world, 1);
  world.store.onGetMany = async (wanted, next) => {
    if (wanted.some(([, table, id]) => table === "ledger-totals" && id === other)) throw new Error("damaged");
    return next();
  };
  await using worker = world.worker();
  await worker.start();
  await world.clock.advance(2 * hourMs + 15 * minuteMs);
  expect((await rows(world, "ledger-open")).map(({ key }) => key[2])).toEqual([other]);
  expect(world.errors.map(String)).toContain("Error: damaged");
  world.store.onGetMany = undefined;
  await world.clock.advance(15 * minuteMs);
  expect(await rows(world, "ledger-open")).toEqual([]);
});

it("a worker that closes waits for its fold", async () => {
  const world = await openWorld();
  await countMissed(world, 1);
  let isFolding = false;
  let end = (): void => {};
  world.store.onCommit = async (_, { mutations }, commitNow) => {
    if (mutations.some(({ key }) => key[1] === "ledger-folds")) {
      isFolding = true;
      await new Promise<void>((resolve) => (end = resolve));
    }
    return commitNow();
  };
  const worker = world.worker();
  await worker.start();
  await world.clock.advance(3 * hourMs);
  expect(isFolding).toBe(true);
  let isClosed = false;
  const closing = worker.close().finally(() => (isClosed = true));
  await rest();
  expect(isClosed).toBe(false);
  end();
  expect(await closing).toEqual({ unrecorded: 0, released: true });
  expect(await rows(world, "ledger-open")).toEqual([]);
});

it.each(["{", "null", "[]", '{"order.created":1}', '{"order.created":{"q":"x"}}'])(
  "a row %s counts as nothing when it is read, and is reported and starts again when it is folded",
  async (value) => {
    const world = await openWorld();
    await using worker = world.worker();
    await worker.start();
    worker.offer(accountId, await world.publish("wh_1", "ord_1"));
    await world.clock.advance(0);
    const minute = startOf(world.clock.now(), 21_600) / minuteMs;
    const key = keys.ledgerRow(place, 21_600, minute);
    await world.store.commit(partition, { mutations: [{ type: "set", key, value }] });
    expect(sumPoints((await readAll(world)).all).delivered).toBe(1);
    await world.clock.advance(3 * hourMs);
    expect(world.errors.map(String)).toEqual([
      "Error: a row of the ledger of account acc_1 starts again at zero",
    ]);
    expect(sumPoints((await readAll(world)).all).delivered).toBe(1);
  },
);
