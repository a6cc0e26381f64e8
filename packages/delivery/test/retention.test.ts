import { expect, it } from "vitest";
import { createSweeper } from "../src/retention/sweeper.ts";
import type { SweeperOptions } from "../src/retention/sweeper.ts";
import { parseDeliveryRow } from "../src/rows/delivery-row.ts";
import { keys } from "../src/rows/keys.ts";
import { answered } from "./support/fake-transport.ts";
import { accountId, createWorld, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";

const hour = 60 * 60 * 1_000;
const day = 24 * hour;

/** Sends what is published for these records, in order, and stops delivering. */
async function deliver(world: World, ...recordIds: string[]): Promise<string[]> {
  const scheduler = world.scheduler();
  await scheduler.start();
  const deliveries = await world.publish("wh_1", ...recordIds);
  scheduler.offer(accountId, deliveries);
  await world.clock.advance(0);
  await scheduler.close();
  return deliveries.map(({ id }) => id);
}

async function kept({ store }: World): Promise<string[]> {
  const entries = await store.list({ prefix: keys.deliveries(accountId), limit: 10_000 });
  return entries.map(({ key }) => String(key.at(-1)));
}

async function sweep(world: World, options: Partial<SweeperOptions> = {}): Promise<void> {
  const { store, clock, faults } = world;
  const onFault = (error: unknown): void => void faults.push(error);
  const sweeper = createSweeper({ store, clock, partitions: () => [partition], onFault, ...options });
  sweeper.start();
  await clock.advance(2 * 60_000);
  await sweeper.close();
}

it("a delivery leaves the log, and its index, when its time is over", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const old = await deliver(world, "ord_1", "ord_2");
  world.clock.jump(30 * day - hour);
  const young = await deliver(world, "ord_3");
  await sweep(world);
  expect(await kept(world)).toEqual([...old, ...young]);
  world.clock.jump(2 * hour);
  await sweep(world);
  expect(await kept(world)).toEqual(young);
  expect(await world.store.list({ prefix: keys.logs(accountId), limit: 10 })).toHaveLength(1);
  expect(world.faults).toEqual([]);
});

it("a delivery that has not ended stays, however old it is", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => answered(500));
  const pending = await deliver(world, "ord_1");
  world.transport.answerWith(() => answered(200));
  await deliver(world, "ord_2");
  world.clock.jump(400 * day);
  await sweep(world, { maximumKept: 1 });
  expect(await kept(world)).toEqual(pending);
  expect(await world.queued()).toHaveLength(1);
});

it("of more than may be kept the oldest go, in windows that let others through", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const ids: string[] = [];
  for (let part = 0; part < 12; part++) {
    ids.push(...(await deliver(world, ...Array.from({ length: 90 }, (_, index) => `ord_${part}_${index}`))));
  }
  const sizes: number[] = [];
  const { store } = world;
  const watched = {
    ...store,
    commit: (name: string, commit: Parameters<typeof store.commit>[1]) => {
      sizes.push(commit.mutations.length);
      return store.commit(name, commit);
    },
  };
  await sweep(world, { store: watched, maximumKept: 50 });
  expect(await kept(world)).toEqual(ids.slice(-50));
  expect(await store.list({ prefix: keys.logs(accountId), limit: 10_000 })).toHaveLength(50);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(300);
});

/** What endpoints answer: a row with it takes about 2.7 KB. */
const longAnswer = { ...answered(200), excerpt: "x".repeat(2_048) };

async function bytesKept({ store }: World): Promise<number> {
  const entries = await store.list({ prefix: keys.deliveries(accountId), limit: 10_000 });
  return entries.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
}

it("of a larger log than may be kept the oldest deliveries go, until it is small enough", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => longAnswer);
  const ids: string[] = [];
  for (let part = 0; part < 10; part++)
    ids.push(...(await deliver(world, ...Array.from({ length: 30 }, (_, index) => `ord_${part}_${index}`))));
  const before = await bytesKept(world);
  const maximumBytes = Math.floor(before / 3);
  await sweep(world, { maximumBytes });
  const left = await kept(world);
  expect(left).toEqual(ids.slice(-left.length));
  expect(await bytesKept(world)).toBeLessThanOrEqual(maximumBytes);
  expect(await bytesKept(world)).toBeGreaterThan(maximumBytes - before / ids.length);
  expect(await world.store.list({ prefix: keys.logs(accountId), limit: 10_000 })).toHaveLength(left.length);
  await sweep(world, { maximumBytes });
  expect(await kept(world)).toEqual(left);
});

it("unfinished deliveries stay, however large the log is, and are not read again and again", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => ({ ...longAnswer, ...answered(500), excerpt: longAnswer.excerpt }));
  const pending = await deliver(world, "ord_1", "ord_2");
  world.transport.answerWith(() => longAnswer);
  await deliver(world, "ord_3");
  await sweep(world, { maximumBytes: 1 });
  expect(await kept(world)).toEqual(pending);
  expect(world.faults).toEqual([]);
});

it("entries of versions that stored no sizes count as small rows", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const ids = await deliver(world, "ord_1", "ord_2", "ord_3", "ord_4");
  const entries = await world.store.list({ prefix: keys.logs(accountId), limit: 10 });
  expect(entries.map(({ value }) => value)).toEqual(["", "", "", ""]);
  await sweep(world, { maximumBytes: 4 * 768 });
  expect(await kept(world)).toEqual(ids);
  await sweep(world, { maximumBytes: 3 * 768 });
  expect(await kept(world)).toEqual(ids.slice(1));
});

it("an account that writes much is swept before its hour", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => longAnswer);
  await deliver(world, ...Array.from({ length: 60 }, (_, index) => `ord_${index}`));
  const rows = await world.store.list({ prefix: keys.deliveries(accountId), limit: 100 });
  const attempts = rows.flatMap(({ value }) => parseDeliveryRow(value).attempts);
  const maximumBytes = 20 * 2_700;
  const { store, clock, faults } = world;
  await using sweeper = createSweeper({
    store,
    clock,
    partitions: () => [partition],
    maximumBytes,
    onFault: (error) => faults.push(error),
  });
  sweeper.start();
  // An eighth of what may be kept.
  for (const attempt of attempts.slice(0, 2)) sweeper.noteAttempt(accountId, attempt);
  await clock.advance(1_000);
  expect(await kept(world)).toHaveLength(60);
  for (const attempt of attempts.slice(2, 3)) sweeper.noteAttempt(accountId, attempt);
  await clock.advance(1_000);
  expect(await bytesKept(world)).toBeLessThanOrEqual(maximumBytes);
  expect(await bytesKept(world)).toBeGreaterThan(maximumBytes / 2);
  expect(faults).toEqual([]);
});

it("a fault of the store is told, and the next sweep does the work", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await deliver(world, "ord_1");
  world.clock.jump(31 * day);
  let isAway = true;
  const store = {
    ...world.store,
    commit: (name: string, commit: Parameters<typeof world.store.commit>[1]) =>
      isAway ? Promise.reject(new Error("away")) : world.store.commit(name, commit),
  };
  await sweep(world, { store });
  expect(world.faults).toHaveLength(1);
  isAway = false;
  await sweep(world, { store });
  expect(await kept(world)).toEqual([]);
});

it("a damaged delivery keeps no other of its account for longer, and is told of", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const key = keys.delivery(accountId, "dlv_00000000");
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  await deliver(world, "ord_1", "ord_2");
  world.clock.jump(31 * day);
  await sweep(world);
  expect(await kept(world)).toEqual(["dlv_00000000"]);
  expect(world.faults).toMatchObject([
    {
      message: `deliveries of account ${accountId} that cannot be read, and stay: 1, the first dlv_00000000`,
    },
  ]);
});

it("an account with a damaged row keeps nothing of others, and nothing of another kind", async () => {
  const world = createWorld();
  const rowOf = (table: string, account: string) =>
    ({ type: "set", key: [partition, table, account, "row"], value: "{" }) as const;
  const mutations = [rowOf("delivery", accountId), rowOf("note", "acc_1"), rowOf("note", "acc_2")];
  await world.store.commit(partition, { mutations });
  const swept: string[] = [];
  async function sweepNotes(account: string): Promise<void> {
    swept.push(account);
    if (account === "acc_1") throw new Error("damaged as well");
  }
  await sweep(world, { further: [{ table: "note", sweep: sweepNotes }] });
  expect(swept).toEqual(["acc_1", "acc_2"]);
  expect(world.faults).toHaveLength(2);
});

it("of an account whose oldest delivery is young enough no other is read", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await deliver(world, "ord_1", "ord_2", "ord_3");
  let read = 0;
  const { store } = world;
  const watched: typeof store = {
    ...store,
    async list(options) {
      const entries = await store.list(options);
      read += entries.filter(({ value }) => value !== "").length;
      return entries;
    },
  };
  world.clock.jump(day);
  await sweep(world, { store: watched });
  // The oldest of three, twice: to learn of the account, and how old it is.
  expect(read).toBe(2);
});

it("accounts that have nothing to sweep are looked at a few at a time", async () => {
  const world = createWorld();
  const accounts = Array.from({ length: 50 }, (_, index) => `acc_${index}`);
  await world.store.commit(partition, {
    mutations: accounts.map((account) => ({
      type: "set",
      key: [partition, "note", account, "row"],
      value: "",
    })),
  });
  const swept = new Set<string>();
  let inARow = 0;
  let most = 0;
  const clock: typeof world.clock = {
    ...world.clock,
    schedule(callback, delayMs) {
      inARow = 0;
      return world.clock.schedule(callback, delayMs);
    },
  };
  async function sweepNotes(account: string): Promise<void> {
    swept.add(account);
    inARow += 1;
    most = Math.max(most, inARow);
  }
  await sweep({ ...world, clock }, { further: [{ table: "note", sweep: sweepNotes }] });
  expect(swept.size).toBe(50);
  expect(most).toBe(4);
});

it("a sweeper that is closed does nothing more", async () => {
  const world = createWorld();
  const sweeper = createSweeper({
    store: world.store,
    clock: world.clock,
    partitions: () => [partition],
    onFault: (error) => world.faults.push(error),
  });
  sweeper.start();
  await sweeper.close();
  expect(world.clock.timers).toBe(0);
});

it("a sweeper that is closed while it rests leaves no timer behind", async () => {
  const world = createWorld();
  await world.store.commit(partition, {
    mutations: [{ type: "set", key: [partition, "note", accountId, "row"], value: "" }],
  });
  const sweeper = createSweeper({
    store: world.store,
    clock: world.clock,
    partitions: () => [partition],
    further: [{ table: "note", sweep: (_, pause) => pause() }],
    onFault: (error) => world.faults.push(error),
  });
  sweeper.start();
  await world.clock.advance(60_000);
  expect(world.clock.timers).toBe(1);
  await sweeper.close();
  expect(world.clock.timers).toBe(0);
  expect(world.faults).toEqual([]);
});

/** Keeps data of a record as a publish does that replaces it. */
async function replaceVersion({ store, clock }: World, version: number): Promise<void> {
  const replaced = { kind: "orders", recordId: "ord_1", version };
  await store.commit(partition, {
    mutations: [
      { type: "set", key: keys.recordVersion(accountId, replaced), value: `{"version":${version}}` },
      { type: "set", key: keys.recordVersionEnd(accountId, clock.now(), replaced), value: "" },
    ],
  });
}

async function versionsKept({ store }: World): Promise<unknown[]> {
  const [ends, versions] = await Promise.all(
    ["record-version-end", "record-version"].map((name) =>
      store.list({ prefix: [partition, name, accountId], limit: 10_000 }),
    ),
  );
  expect(ends?.map(({ key }) => key.at(-1))).toEqual(versions?.map(({ key }) => key.at(-1)));
  return (versions ?? []).map(({ key }) => key.at(-1));
}

it("what a record was stays as long as a delivery may have sent it", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await replaceVersion(world, 1);
  world.clock.jump(2 * hour);
  await deliver(world, "ord_1");
  world.clock.jump(1);
  await replaceVersion(world, 2);
  world.clock.jump(10 * day);
  await replaceVersion(world, 3);
  await sweep(world);
  expect(await versionsKept(world)).toEqual([2, 3]);
  world.clock.jump(30 * day);
  await sweep(world);
  await sweep(world);
  expect(await kept(world)).toEqual([]);
  expect(await versionsKept(world)).toEqual([]);
  expect(world.faults).toEqual([]);
});

it("what was replaced a moment ago may be under way still", async () => {
  const world = createWorld();
  for (let version = 1; version <= 250; version++) await replaceVersion(world, version);
  await sweep(world);
  expect(await versionsKept(world)).toHaveLength(250);
  world.clock.jump(2 * hour);
  await sweep(world);
  expect(await versionsKept(world)).toEqual([]);
});

it("what else is swept has its turn too, for each account with rows of its kind", async () => {
  const world = createWorld();
  const rowsOf = (account: string) =>
    [1, 2].map((row) => ({
      type: "set" as const,
      key: [partition, "note", account, row] as const,
      value: "",
    }));
  await world.store.commit(partition, { mutations: [...rowsOf("acc_1"), ...rowsOf("acc_2")] });
  const swept: string[] = [];
  const table = { table: "note", sweep: async (account: string) => void swept.push(account) };
  await sweep(world, { further: [table] });
  expect(swept).toEqual(["acc_1", "acc_2"]);
});

it("many accounts with nothing to sweep are not looked at in one go", async () => {
  const world = createWorld();
  const accounts = Array.from({ length: 100 }, (_, index) => `acc_${index}`);
  const mutations = accounts.map((account) => ({
    type: "set" as const,
    key: [partition, "note", account, 1] as const,
    value: "",
  }));
  await world.store.commit(partition, { mutations });
  const sweptAt = new Map<number, number>();
  const table = {
    table: "note",
    async sweep() {
      const time = world.clock.now();
      sweptAt.set(time, (sweptAt.get(time) ?? 0) + 1);
    },
  };
  await sweep(world, { further: [table] });
  const together = [...sweptAt.values()];
  expect(together.reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(Math.max(...together)).toBeLessThanOrEqual(16);
});
