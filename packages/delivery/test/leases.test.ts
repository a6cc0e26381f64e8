import { partitions } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createPartitionLeases, leaseMs } from "../src/partition-leases.ts";
import type { PartitionLeasesOptions } from "../src/partition-leases.ts";
import { keys } from "../src/storage/keys.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { createWorld, partition } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

function createCase() {
  const clock = createFakeClock();
  const store = toFaultyStore(memoryStore({ now: clock.now }));
  const alive = new Set<number>();
  const errors: unknown[] = [];
  const lost: string[] = [];
  let workers = 0;

  /** A worker. By default it has its own host. */
  function worker(options: Partial<PartitionLeasesOptions> & { readonly host?: string } = {}) {
    const process = 1_000 + workers++;
    alive.add(process);
    const leases = createPartitionLeases({
      store,
      worker: { id: `worker-${process}`, host: options.host ?? `host-${process}`, process },
      partitions,
      clock,
      isProcessAlive: (number) => alive.has(number),
      drained: async () => {},
      onAcquired: () => {},
      onLost: (partition) => lost.push(partition),
      onChange: () => {},
      onRenewed: () => {},
      onError: (error) => errors.push(error),
      ...options,
    });
    return Object.assign(leases, { process });
  }

  /** Rebalances all workers until nothing changes, as they do once a second. */
  async function settle(...all: readonly ReturnType<typeof createPartitionLeases>[]): Promise<number[]> {
    for (let round = 0; round < 3; round++) {
      for (const leases of all) {
        await leases.rebalance();
        await clock.advance(0);
      }
    }
    const held = all.flatMap((leases) => leases.held());
    expect(new Set(held).size).toBe(held.length);
    return all.map((leases) => leases.held().length);
  }

  return { clock, store, alive, errors, lost, worker, settle };
}

describe("workers on one store", () => {
  it("hold all partitions if there is only one worker", async () => {
    const { worker, settle } = createCase();
    expect(await settle(worker())).toEqual([64]);
  });

  it("share the partitions evenly as they join and leave", async () => {
    const { worker, settle } = createCase();
    const first = worker();
    await settle(first);
    const second = worker();
    expect(await settle(first, second)).toEqual([32, 32]);
    const third = worker();
    expect((await settle(first, second, third)).sort()).toEqual([21, 21, 22]);
    await first.release();
    expect(await settle(second, third)).toEqual([32, 32]);
  });

  it("move only as many partitions as necessary when one joins", async () => {
    const { worker, settle } = createCase();
    const [first, second] = [worker(), worker()];
    await settle(first, second);
    const before = new Set([...first.held(), ...second.held()]);
    const third = worker();
    await settle(first, second, third);
    const kept = [...first.held(), ...second.held()].filter((partition) => before.has(partition));
    expect(kept.length).toBe(64 - third.held().length);
  });

  it("take over from one that stopped renewing when its leases expire, and not before", async () => {
    const { clock, worker, settle, lost } = createCase();
    const [silent, second] = [worker(), worker()];
    await settle(silent, second);
    lost.length = 0;
    second.start();
    for (let passed = 0; passed < leaseMs; passed += 1_000) {
      expect(second.held().length).toBe(32);
      await clock.advance(1_000);
      await second.rebalance();
    }
    expect(second.held().length).toBe(64);
    expect(lost).toEqual([]);
    // The first worker continues: it cannot renew its leases, so it holds nothing.
    expect(silent.isHealthy()).toBe(false);
    silent.start();
    await clock.advance(5_000);
    expect(silent.held()).toEqual([]);
    expect(lost.length).toBe(32);
    await second.release();
    await silent.release();
  });

  it("cannot commit with a fence that another worker has replaced", async () => {
    const { clock, store, worker, settle } = createCase();
    const [first, second] = [worker(), worker()];
    await settle(first);
    const partition = "p17";
    const fence = first.fence(partition);
    await clock.advance(leaseMs);
    await second.rebalance();
    expect(second.holds(partition)).toBe(true);
    const late = await store.commit(partition, {
      checks: fence === undefined ? [] : [fence],
      mutations: [{ type: "set", key: [partition, "late"], value: "" }],
    });
    expect(late.ok).toBe(false);
  });

  it("keep their leases while the host clock of another worker is a day behind, because the clock of the store decides", async () => {
    const { clock, worker, settle } = createCase();
    const first = worker();
    await settle(first);
    first.start();
    const behind = { ...clock, now: () => clock.now() - 24 * 3_600_000 };
    const second = worker({ clock: behind });
    await second.rebalance();
    expect(second.held()).toEqual([]);
    await first.release();
  });
});

describe("a lease", () => {
  it("is renewed every five seconds, and after one second if a renewal fails", async () => {
    const { clock, store, worker, settle, errors } = createCase();
    const leases = worker({ partitions: ["p01"] });
    await settle(leases);
    leases.start();
    const renewals: number[] = [];
    const start = clock.now();
    store.onCommit = (partition, _, next) => {
      if (partition === "p01") renewals.push(clock.now() - start);
      return partition === "p01" && renewals.length === 1 ? Promise.reject(new Error("away")) : next();
    };
    await clock.advance(12_000);
    expect(renewals).toEqual([5_000, 6_000, 11_000]);
    expect(errors).toHaveLength(1);
    store.onCommit = undefined;
    await leases.release();
  });

  it("is invalid when it has not been renewed for its length, by the clock of the worker", async () => {
    const { clock, worker, settle } = createCase();
    const leases = worker();
    await settle(leases);
    expect([leases.isHealthy(), leases.isOpen("p01")]).toEqual([true, true]);
    clock.jump(leaseMs);
    expect([leases.isHealthy(), leases.isOpen("p01")]).toEqual([false, false]);
    expect(leases.holds("p01")).toBe(true);
  });

  it("is acquired again at once if the response to its commit was lost", async () => {
    const { store, worker } = createCase();
    const leases = worker();
    store.onCommit = async (_, { mutations }, next) => {
      const result = await next();
      if (mutations.some(({ key }) => key.join() === keys.lease("p07").join()))
        throw new Error("the connection broke");
      return result;
    };
    await expect(leases.rebalance()).rejects.toThrow("the connection broke");
    expect(leases.holds("p07")).toBe(false);
    store.onCommit = undefined;
    await leases.rebalance();
    expect(leases.held()).toHaveLength(64);
  });

  it("is released only when no attempt of its partition is in flight", async () => {
    const { clock, worker, settle } = createCase();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = worker({ partitions: ["p01", "p02"], drained: () => promise });
    await settle(first);
    const second = worker({ partitions: ["p01", "p02"] });
    await second.rebalance();
    await first.rebalance();
    expect(first.held()).toHaveLength(2);
    // No attempt starts in the partition that is drained.
    expect(first.held().filter(first.isOpen)).toHaveLength(1);
    resolve();
    await clock.advance(0);
    expect(first.held()).toHaveLength(1);
  });

  it("stays held if its release fails, and is released at the next rebalance", async () => {
    const { clock, store, worker, settle, errors } = createCase();
    const first = worker({ partitions: ["p01", "p02"] });
    await settle(first);
    const second = worker({ partitions: ["p01", "p02"] });
    await second.rebalance();
    store.onCommit = (_, { mutations }, next) =>
      mutations.some(({ type }) => type === "delete") ? Promise.reject(new Error("away")) : next();
    await first.rebalance();
    await clock.advance(0);
    expect([first.held().length, errors.length]).toEqual([2, 1]);
    store.onCommit = undefined;
    await first.rebalance();
    await clock.advance(0);
    expect(first.held()).toHaveLength(1);
  });

  it("that was released cannot be renewed by a late renewal", async () => {
    const { clock, store, worker, settle } = createCase();
    const leases = worker({ partitions: ["p01"] });
    await settle(leases);
    leases.start();
    let arrive: (() => Promise<unknown>) | undefined;
    store.onCommit = (partition, _, next) => {
      if (partition !== "p01") return next();
      store.onCommit = undefined;
      return new Promise((resolve) => (arrive = async () => resolve(await next())));
    };
    await clock.advance(5_000);
    await leases.release();
    await arrive?.();
    expect(await store.get(keys.lease("p01"))).toBeUndefined();
  });

  it("is acquired again if the store was emptied", async () => {
    const { clock, store, worker, settle } = createCase();
    const leases = worker({ partitions: ["p01"] });
    await settle(leases);
    leases.start();
    await store.commit("p01", { mutations: [{ type: "delete", key: keys.lease("p01") }] });
    await clock.advance(5_000);
    expect(leases.held()).toEqual([]);
    await leases.rebalance();
    expect(leases.held()).toEqual(["p01"]);
    await leases.release();
  });
});

describe("another worker", () => {
  it.each([
    ["is dead if its process is gone", { host: "here", process: 7 }, ["p01"]],
    ["is alive if its process runs", { host: "here", process: 8 }, []],
    [
      "is dead if it has the process number of this one, as before a restart in a container",
      { host: "here", process: 9 },
      ["p01"],
    ],
    ["is alive if it is on another host, whatever its process number", { host: "there", process: 7 }, []],
  ])("%s", async (_, holder, held) => {
    const { store, worker } = createCase();
    const value = JSON.stringify({ worker: { id: "other", ...holder }, acquisition: 1 });
    await store.commit("p01", {
      mutations: [{ type: "set", key: keys.lease("p01"), value, expiresInMs: leaseMs }],
    });
    const leases = worker({
      partitions: ["p01"],
      worker: { id: "this", host: "here", process: 9 },
      isProcessAlive: (process) => process === 8,
    });
    await leases.rebalance();
    expect(leases.held()).toEqual(held);
  });

  it("is alive if it is in the same process", async () => {
    const { worker, settle } = createCase();
    const identity = { host: "here", process: 9 };
    const first = worker({ worker: { id: "one", ...identity } });
    await settle(first);
    const second = worker({ worker: { id: "two", ...identity } });
    expect(await settle(first, second)).toEqual([32, 32]);
    await first.release();
    await second.release();
  });
});

it("leases of an earlier version, and rows that cannot be read, do not keep a worker from delivering", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const rows = [`{"token":"1","holder":{"id":"old","host":"here","process":1}}`, "damaged"];
  for (const value of rows) {
    await world.store.commit(partition, {
      mutations: [{ type: "set", key: [partition, "lease"], value }],
    });
    await world.store.commit("p00", {
      mutations: [{ type: "set", key: ["p00", "worker", "old"], value: "?" }],
    });
    await using worker = world.worker();
    await worker.start();
    expect(worker.heldPartitions()).toEqual([partition]);
  }
});
