import { StorageError } from "@hookwright/storage";
import type { Commit, Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import { accountId, answered } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";
import type { Recoveries } from "./support/open-recoveries.ts";

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `ord_${index}`);

/** Orders whose deliveries are cancelled: they were queued when the webhook was paused. */
async function cancel(opened: Recoveries, count: number): Promise<void> {
  const { webhooks } = opened.service;
  await opened.worker.close();
  for (let first = 0; first < count; first += 500)
    await Promise.all(
      ids(count)
        .slice(first, first + 500)
        .map((id) => opened.publish(id)),
    );
  await webhooks.pause(accountId, opened.webhookId);
  const { worker } = opened.open("canceller");
  await worker.start();
  for (let seconds = 0; (await pendingOf(opened)) > 0; seconds++) {
    if (seconds > 600) throw new Error("the deliveries are never cancelled");
    await opened.world.clock.advance(1_000);
  }
  await worker.close();
  await webhooks.resume(accountId, opened.webhookId);
}

async function pendingOf({ world }: Recoveries): Promise<number> {
  return (await world.queued()).length;
}

/** Counts how often each record was sent. */
function timesSent(opened: Recoveries): Map<string, number> {
  const times = new Map<string, number>();
  for (const id of opened.sent()) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

it("thousands of matches are sent in small commits, while few are pending", async () => {
  const largest = { mutations: 0 };
  await using opened = await openRecoveries({
    wrapStore: (inner) => ({
      ...inner,
      async commit(name: string, commit: Commit) {
        if (commit.mutations.some(({ key }) => key[1] === "recovery"))
          largest.mutations = Math.max(largest.mutations, commit.mutations.length);
        return inner.commit(name, commit);
      },
    }),
  });
  await cancel(opened, 3_000);
  const { worker, recoverer } = opened.open("worker_2");
  await worker.start();
  const recovery = await opened.recover();
  // The request counts a thousand, and the background work the others.
  expect(recovery.found).toBe(1_000);
  const { store, partition } = opened.world;
  let highest = 0;
  opened.world.transport.answerWith(async () => {
    const queued = await store.list({ prefix: [partition, "fresh"], limit: 1_000 });
    highest = Math.max(highest, queued.length);
    return answered(200);
  });
  recoverer.start();
  const ended = await opened.finish(recovery);
  expect(ended).toMatchObject({ status: "finished", found: 3_000, resent: 3_000 });
  await opened.world.clock.advance(60_000);
  const times = timesSent(opened);
  expect(times.size).toBe(3_000);
  expect(new Set(times.values())).toEqual(new Set([1]));
  expect(highest).toBeLessThanOrEqual(500);
  expect(highest).toBeGreaterThan(50);
  expect(largest.mutations).toBeLessThan(200);
  await recoverer.close();
  await worker.close();
});

/** A recovery of 300 orders, whose endpoint responds after a release. At most 100 deliveries are pending. */
async function openHeld() {
  const opened = await openRecoveries({ recoverer: { maximumPending: 100 } });
  await cancel(opened, 300);
  const { worker, recoverer } = opened.open("worker_2");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  opened.world.transport.answerWith(() => released.then(() => answered(200)));
  await worker.start();
  recoverer.start();
  const recovery = await opened.recover();
  await opened.world.clock.advance(9_000);
  return {
    opened,
    recovery,
    release,
    async [Symbol.asyncDispose]() {
      await recoverer.close();
      await worker.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

it("waits while the endpoint accepts nothing, and continues when it does", async () => {
  await using held = await openHeld();
  const { opened, recovery, release } = held;
  expect(await pendingOf(opened)).toBe(100);
  expect(await opened.service.webhooks.getRecovery(accountId, recovery.id)).toMatchObject({
    status: "running",
    found: 300,
    resent: 100,
  });
  release();
  expect(await opened.finish(recovery)).toMatchObject({ status: "finished", resent: 300 });
});

it("a stopped recovery creates no more deliveries, and those that it created are sent", async () => {
  await using held = await openHeld();
  const { opened, recovery, release } = held;
  const stopped = await opened.service.webhooks.stopRecovery(accountId, recovery.id);
  expect(stopped).toMatchObject({ status: "stopped", found: 300, resent: 100 });
  release();
  await opened.world.clock.advance(60_000);
  expect(timesSent(opened).size).toBe(100);
  // Another recovery sends the rest.
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 200, resent: 200 });
  await opened.world.clock.advance(60_000);
  expect(timesSent(opened).size).toBe(200);
});

it.each<[what: string, change: (opened: Recoveries) => Promise<unknown>]>([
  ["its webhook is paused", ({ service, webhookId }) => service.webhooks.pause(accountId, webhookId)],
  ["its webhook is removed", ({ service, webhookId }) => service.webhooks.remove(accountId, webhookId)],
  ["its account is suspended", ({ service }) => service.accounts.put(accountId, { status: "suspended" })],
])("stops when %s", async (_, change) => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1");
  await opened.recoverer.close();
  const recovery = await opened.recover();
  await change(opened);
  const { recoverer } = opened.open("worker_2", { worker: opened.worker });
  recoverer.start();
  expect(await opened.finish(recovery)).toMatchObject({ status: "stopped", found: 1, resent: 0 });
  expect(opened.sent()).toEqual([]);
  await recoverer.close();
});

it("another worker continues a recovery whose worker has stopped, and repeats nothing", async () => {
  await using opened = await openRecoveries({ recoverer: { maximumPending: 100 } });
  await cancel(opened, 300);
  const first = opened.open("worker_2");
  await first.worker.start();
  first.recoverer.start();
  const recovery = await opened.recover();
  while ((await opened.service.webhooks.getRecovery(accountId, recovery.id)).resent < 100)
    await opened.world.clock.advance(100);
  // The recoverer is not closed: without its lease it must do nothing.
  await first.worker.close();
  const second = opened.open("worker_3");
  await second.worker.start();
  second.recoverer.start();
  expect(await opened.finish(recovery)).toMatchObject({ status: "finished", found: 300, resent: 300 });
  await opened.world.clock.advance(60_000);
  const times = timesSent(opened);
  expect([times.size, new Set(times.values())]).toEqual([300, new Set([1])]);
  await first.recoverer.close();
  await second.recoverer.close();
  await second.worker.close();
});

it("a worker that has lost its lease commits nothing", async () => {
  let meanwhile: ((store: Store) => Promise<unknown>) | undefined;
  await using opened = await openRecoveries({
    wrapStore: (inner) => ({
      ...inner,
      async commit(name, commit) {
        if (commit.mutations.some(({ key }) => key[1] === "recovery" && key[3] !== undefined)) {
          const first = meanwhile;
          meanwhile = undefined;
          await first?.(inner);
        }
        return inner.commit(name, commit);
      },
    }),
  });
  await opened.fail("ord_1");
  await opened.recoverer.close();
  const recovery = await opened.recover();
  const { recoverer } = opened.open("worker_2", { worker: opened.worker });
  const key = [opened.world.partition, "lease"] as const;
  meanwhile = (store) =>
    store.commit(key[0], { mutations: [{ type: "set", key, value: "another worker", expiresInMs: 4_000 }] });
  recoverer.start();
  await opened.world.clock.advance(2_000);
  expect(await opened.service.webhooks.getRecovery(accountId, recovery.id)).toMatchObject({ resent: 0 });
  // It gets the lease again when the other worker has gone.
  expect(await opened.finish(recovery)).toMatchObject({ status: "finished", resent: 1 });
  expect(opened.sent()).toEqual(["ord_1"]);
  await recoverer.close();
});

it("a commit whose outcome is unknown is not repeated", async () => {
  let lost = 0;
  await using opened = await openRecoveries({
    wrapStore: (inner) => ({
      ...inner,
      async commit(name, commit) {
        const result = await inner.commit(name, commit);
        const creates =
          commit.mutations.filter(({ type, key }) => type === "set" && key[1] === "fresh").length > 1;
        if (!creates || lost >= 2) return result;
        lost += 1;
        throw new StorageError("unavailable", "the response was lost");
      },
    }),
  });
  await opened.fail(...ids(20));
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 20, resent: 20 });
  await opened.world.clock.advance(60_000);
  const times = timesSent(opened);
  expect([lost, times.size, new Set(times.values())]).toEqual([1, 20, new Set([1])]);
  expect(opened.world.errors).toMatchObject([{ code: "unavailable" }]);
});

it("large records are sent in smaller commits", async () => {
  const sizes: number[] = [];
  await using opened = await openRecoveries({
    wrapStore: (inner) => ({
      ...inner,
      commit(name, commit) {
        const records = commit.mutations.filter(({ key }) => key[1] === "record");
        if (commit.mutations.some(({ key }) => key[1] === "recovery"))
          sizes.push(records.reduce((sum, one) => sum + (one.type === "set" ? one.value.length : 0), 0));
        return inner.commit(name, commit);
      },
    }),
  });
  const { store, partition } = opened.world;
  await opened.fail(...ids(20));
  for (const { key, value } of await store.list({ prefix: [partition, "record"], limit: 100 })) {
    const large = value.replace('"status":"', `"status":"${"x".repeat(250_000)}`);
    await store.commit(partition, { mutations: [{ type: "set", key, value: large }] });
  }
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 20, resent: 20 });
  expect(Math.max(...sizes)).toBeGreaterThan(250_000);
  expect(Math.max(...sizes)).toBeLessThan(2.5 * 1024 * 1024);
});

it("damaged rows are reported and keep no others", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1", "ord_2", "ord_3");
  const { store, partition } = opened.world;
  const [first] = await store.list({ prefix: [partition, "delivery"], limit: 1 });
  const record = [partition, "record", accountId, "orders", "ord_2"] as const;
  await store.commit(partition, {
    mutations: [
      { type: "set", key: first?.key ?? record, value: "not JSON" },
      { type: "set", key: record, value: "not JSON" },
    ],
  });
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 1, resent: 1 });
  expect(opened.sent()).toEqual(["ord_3"]);
  expect(opened.world.errors.map(String)).toEqual([
    expect.stringContaining("cannot be read: 2, the first dlv_"),
  ]);
});

it("while the storage is down, one error in ten seconds is reported, and the recovery continues after it", async () => {
  let isDown = false;
  await using opened = await openRecoveries({
    wrapStore: (inner) => ({
      ...inner,
      async list(options) {
        if (isDown && options.prefix[1] === "recovery-running")
          throw new StorageError("unavailable", "the storage is down");
        return inner.list(options);
      },
    }),
  });
  await opened.fail("ord_1");
  isDown = true;
  const recovery = await opened.recover();
  await opened.world.clock.advance(29_000);
  expect(opened.world.errors).toHaveLength(3);
  expect(await opened.service.webhooks.getRecovery(accountId, recovery.id)).toMatchObject({
    status: "running",
  });
  isDown = false;
  expect(await opened.finish(recovery)).toMatchObject({ status: "finished", resent: 1 });
});
