import { listOldestLogged, measureLog } from "@hookwright/delivery";
import { expect, it } from "vitest";
import { createSweeper } from "../src/retention/sweeper.ts";
import type { SweeperOptions } from "../src/retention/sweeper.ts";
import { keys } from "../src/rows/keys.ts";
import { parseLogSize } from "../src/rows/log-size-row.ts";
import { accountId, answered, createWorld, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";

const hour = 60 * 60 * 1_000;
const day = 24 * hour;

/** Sends what is published for these records, in order, and stops delivering. */
async function deliver(world: World, ...recordIds: string[]): Promise<string[]> {
  const worker = world.worker();
  await worker.start();
  const deliveries = await world.publish("wh_1", ...recordIds);
  worker.offer(accountId, deliveries);
  await world.clock.advance(0);
  await worker.close();
  return deliveries.map(({ id }) => id);
}

async function kept({ store }: World): Promise<string[]> {
  const logged = await listOldestLogged(store, accountId, { limit: 10_000 });
  return logged.map(({ id }) => id);
}

/** Entries of the index of the log. */
async function indexed({ store }: World): Promise<number> {
  const { all } = await measureLog(store, accountId, async () => {});
  return all.count;
}

async function sweep(world: World, options: Partial<SweeperOptions> = {}): Promise<void> {
  const { store, clock, errors } = world;
  const onError = (error: unknown): void => void errors.push(error);
  const sweeper = createSweeper({ store, clock, partitions: () => [partition], onError, ...options });
  sweeper.start();
  await clock.advance(2 * 60_000);
  await sweeper.close();
}

it("an ended delivery is removed from the log and its index after the retention time", async () => {
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
  expect(await indexed(world)).toBe(1);
  expect(world.errors).toEqual([]);
});

it("a sweep notes the size of the log as it is afterwards", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const size = async () => {
    const text = await world.store.get(keys.logSize(accountId));
    const { all } = await measureLog(world.store, accountId, async () => {});
    return { noted: text === undefined ? undefined : parseLogSize(text), measured: all };
  };
  const account = { type: "set", key: keys.account(accountId), value: "{}" } as const;
  await world.store.commit(partition, { mutations: [account] });
  await deliver(world, "ord_1", "ord_2");
  world.clock.jump(30 * day - hour);
  await deliver(world, "ord_3");
  world.clock.jump(2 * hour);
  await sweep(world);
  const { noted, measured } = await size();
  expect(measured.count).toBe(1);
  expect(noted).toMatchObject(measured);
  world.clock.jump(31 * day);
  await sweep(world);
  expect((await size()).noted).toBeUndefined();
});

it("the host can set the retention of one account, which takes effect at the next sweep", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const [first, second] = await deliver(world, "ord_1", "ord_2");
  const setRetention = async (retention: object): Promise<void> => {
    const key = keys.account(accountId);
    const stored = JSON.parse((await world.store.get(key)) ?? "{}");
    const value = JSON.stringify({ ...stored, retention });
    await world.store.commit(key[0], { mutations: [{ type: "set", key, value }] });
  };
  const unset = { days: null, deliveries: null, delivery_log_mib: null, requests: null };
  world.clock.jump(2 * day);
  await setRetention({ ...unset, days: 3 });
  await sweep(world, { retentionMs: day });
  expect(await kept(world)).toEqual([first, second]);
  await setRetention({ ...unset, deliveries: 1 });
  await sweep(world);
  expect(await kept(world)).toEqual([second]);
  await setRetention({ ...unset, days: 1 });
  await sweep(world);
  expect(await kept(world)).toEqual([]);
  expect(world.errors).toEqual([]);
});

it("a delivery that has not ended is kept, however old it is", async () => {
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

it("removes the oldest deliveries above the limit, in small batches", async () => {
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
  expect(await indexed(world)).toBe(50);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(300);
});

/** A response whose row has about 2.7 KB. */
const longAnswer = { ...answered(200), excerpt: "x".repeat(2_048) };

async function bytesKept({ store }: World): Promise<number> {
  const entries = await store.list({ prefix: [partition, "delivery", accountId], limit: 10_000 });
  return entries.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
}

it("removes the oldest deliveries of a log that is too large, until it is small enough", async () => {
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
  expect(await indexed(world)).toBe(left.length);
  await sweep(world, { maximumBytes });
  expect(await kept(world)).toEqual(left);
});

it("deliveries that have not ended are kept, however large the log is", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => ({ ...longAnswer, ...answered(500), excerpt: longAnswer.excerpt }));
  const pending = await deliver(world, "ord_1", "ord_2");
  world.transport.answerWith(() => longAnswer);
  await deliver(world, "ord_3");
  await sweep(world, { maximumBytes: 1 });
  expect(await kept(world)).toEqual(pending);
  expect(world.errors).toEqual([]);
});

it("index entries without a size, as earlier versions wrote them, count as small rows", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const ids = await deliver(world, "ord_1", "ord_2", "ord_3", "ord_4");
  const entries = await world.store.list({ prefix: [partition, "delivery-log", accountId], limit: 10 });
  expect(entries.map(({ value }) => value)).toEqual(["", "", "", ""]);
  await sweep(world, { maximumBytes: 4 * 768 });
  expect(await kept(world)).toEqual(ids);
  await sweep(world, { maximumBytes: 3 * 768 });
  expect(await kept(world)).toEqual(ids.slice(1));
});

it("an account that writes much is swept early", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => longAnswer);
  await deliver(world, ...Array.from({ length: 60 }, (_, index) => `ord_${index}`));
  const logged = await listOldestLogged(world.store, accountId, { limit: 100 });
  const attempts = logged.flatMap((one) => ("delivery" in one ? one.delivery.attempts : []));
  const maximumBytes = 20 * 2_700;
  const { store, clock, errors } = world;
  await using sweeper = createSweeper({
    store,
    clock,
    partitions: () => [partition],
    maximumBytes,
    onError: (error) => errors.push(error),
  });
  sweeper.start();
  // Two attempts are less than an eighth of the limit.
  for (const attempt of attempts.slice(0, 2)) sweeper.noteAttempt(accountId, attempt);
  await clock.advance(1_000);
  expect(await kept(world)).toHaveLength(60);
  for (const attempt of attempts.slice(2, 3)) sweeper.noteAttempt(accountId, attempt);
  await clock.advance(1_000);
  expect(await bytesKept(world)).toBeLessThanOrEqual(maximumBytes);
  expect(await bytesKept(world)).toBeGreaterThan(maximumBytes / 2);
  expect(errors).toEqual([]);
});

it("an error of the store is reported, and the next sweep does the work", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await deliver(world, "ord_1");
  world.clock.jump(31 * day);
  let isUnavailable = true;
  const store = {
    ...world.store,
    commit: (name: string, commit: Parameters<typeof world.store.commit>[1]) =>
      isUnavailable ? Promise.reject(new Error("unavailable")) : world.store.commit(name, commit),
  };
  await sweep(world, { store });
  expect(world.errors).toHaveLength(1);
  isUnavailable = false;
  await sweep(world, { store });
  expect(await kept(world)).toEqual([]);
});

it("a damaged delivery is kept and reported, and the others of the account are removed", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const key = [partition, "delivery", accountId, "dlv_00000000"] as const;
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  await deliver(world, "ord_1", "ord_2");
  world.clock.jump(31 * day);
  await sweep(world);
  expect(await kept(world)).toEqual(["dlv_00000000"]);
  expect(world.errors).toMatchObject([
    {
      message: `deliveries of account ${accountId} that cannot be read, and stay: 1, the first dlv_00000000`,
    },
  ]);
});

it("a damaged row of one account does not stop the sweep of other accounts and tables", async () => {
  const world = createWorld();
  const rowOf = (table: string, account: string) =>
    ({ type: "set", key: [partition, table, account, "row"], value: "{" }) as const;
  const mutations = [rowOf("delivery", accountId), rowOf("note", "acc_1"), rowOf("note", "acc_2")];
  await world.store.commit(partition, { mutations });
  const swept: string[] = [];
  async function sweepNotes(account: string): Promise<void> {
    swept.push(account);
    if (account === "acc_1") throw new Error("damaged");
  }
  await sweep(world, { further: [{ table: "note", sweep: sweepNotes }] });
  expect(swept).toEqual(["acc_1", "acc_2"]);
  expect(world.errors).toHaveLength(2);
});

it("reads only the oldest delivery of an account if it is young enough", async () => {
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
  // The oldest of three, twice: to find the account, and to read its age.
  expect(read).toBe(2);
});

it("pauses after a few accounts, even if they have nothing to sweep", async () => {
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

it("a closed sweeper leaves no timer", async () => {
  const world = createWorld();
  const sweeper = createSweeper({
    store: world.store,
    clock: world.clock,
    partitions: () => [partition],
    onError: (error) => world.errors.push(error),
  });
  sweeper.start();
  await sweeper.close();
  expect(world.clock.timers).toBe(0);
});

it("a sweeper that is closed during a pause leaves no timer", async () => {
  const world = createWorld();
  await world.store.commit(partition, {
    mutations: [{ type: "set", key: [partition, "note", accountId, "row"], value: "" }],
  });
  const sweeper = createSweeper({
    store: world.store,
    clock: world.clock,
    partitions: () => [partition],
    further: [{ table: "note", sweep: (_, pause) => pause() }],
    onError: (error) => world.errors.push(error),
  });
  sweeper.start();
  await world.clock.advance(60_000);
  expect(world.clock.timers).toBe(1);
  await sweeper.close();
  expect(world.clock.timers).toBe(0);
  expect(world.errors).toEqual([]);
});

/** Stores a version of a record, as a publish does that replaces it. */
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

it("a version of a record is kept as long as a delivery may have sent it", async () => {
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
  expect(world.errors).toEqual([]);
});

it("an account that keeps no bodies keeps no versions of records for its log", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await deliver(world, "ord_1");
  world.clock.jump(1);
  await replaceVersion(world, 1);
  world.clock.jump(2 * hour);
  await sweep(world);
  expect(await versionsKept(world)).toEqual([1]);
  await sweep(world, { keptBodies: "until_accepted" });
  expect(await versionsKept(world)).toEqual([]);
});

it("a version that was replaced recently is kept, because an attempt in progress may send it", async () => {
  const world = createWorld();
  for (let version = 1; version <= 250; version++) await replaceVersion(world, version);
  await sweep(world);
  expect(await versionsKept(world)).toHaveLength(250);
  world.clock.jump(2 * hour);
  await sweep(world);
  expect(await versionsKept(world)).toEqual([]);
});

it("sweeps further tables, each account that has rows in them", async () => {
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

it("many accounts with nothing to sweep are swept in small groups", async () => {
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
