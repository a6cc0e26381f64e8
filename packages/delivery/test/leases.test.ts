import { partitions } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createPartitionLeases } from "../src/scheduler/leases/partition-leases.ts";
import type { PartitionLeases } from "../src/scheduler/leases/partition-leases.ts";
import { leaseMs } from "../src/scheduler/leases/worker-identity.ts";
import { rest } from "./support/fake-clock.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

function createCase() {
  const clock = { now: 1_800_000_000_000 };
  const store = toFaultyStore(memoryStore({ now: () => clock.now }));
  const alive = new Set<number>();
  let workers = 0;

  /** A worker on a host of its own with the right time, unless told otherwise. */
  function worker({
    host,
    now = () => clock.now,
  }: { host?: string; now?: () => number } = {}): PartitionLeases & { readonly process: number } {
    const process = 1_000 + workers++;
    alive.add(process);
    const leases = createPartitionLeases({
      store,
      worker: { id: `worker-${process}`, host: host ?? `host-${process}`, process },
      partitions,
      now,
      isProcessAlive: (number) => alive.has(number),
    });
    return Object.assign(leases, { process });
  }

  /** What schedulers do once a second, without anything under way. */
  async function settle(...all: readonly PartitionLeases[]): Promise<number[]> {
    for (let round = 0; round < 3; round++) {
      for (const leases of all) {
        await leases.acquire();
        for (const partition of leases.held().slice(0, leases.surplus())) await leases.giveUp(partition);
      }
    }
    expect(new Set(all.flatMap((leases) => leases.held())).size).toBe(
      all.reduce((sum, leases) => sum + leases.held().length, 0),
    );
    return all.map((leases) => leases.held().length);
  }

  return { clock, store, worker, settle };
}

describe("workers on one storage", () => {
  it("alone takes all partitions", async () => {
    const { worker, settle } = createCase();
    expect(await settle(worker())).toEqual([64]);
  });

  it("share them evenly as they join, and what one leaves goes to the others", async () => {
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

  it("keep what they hold while each has its share: a join moves no more than it must", async () => {
    const { worker, settle } = createCase();
    const [first, second] = [worker(), worker()];
    await settle(first, second);
    const before = new Set([...first.held(), ...second.held()]);
    const third = worker();
    await settle(first, second, third);
    const kept = [...first.held(), ...second.held()].filter((partition) => before.has(partition));
    expect(kept.length).toBe(64 - third.held().length);
  });

  it("take over from one that fell silent once its lease has run out, and not before", async () => {
    const { clock, worker, settle } = createCase();
    const [first, second] = [worker(), worker()];
    await settle(first, second);
    for (let passed = 0; passed < leaseMs; passed += 1_000) {
      expect(second.held().length).toBe(32);
      clock.now += 1_000;
      if (passed % 5_000 === 0) await second.renew();
      await second.acquire();
    }
    expect(second.held().length).toBe(64);
    // It comes back to itself: what it held is another's, and it cannot renew.
    expect((await first.renew()).lost.length).toBe(32);
    expect(first.held()).toEqual([]);
  });

  it("take over from one that died elsewhere within a lease, also where the clocks were set back a day since", async () => {
    const { clock, worker, settle } = createCase();
    await settle(worker(), worker());
    clock.now -= 24 * 60 * 60 * 1_000;
    const [third, fourth] = [worker(), worker()];
    for (let passed = 0; passed <= leaseMs; passed += 1_000) {
      for (const leases of [third, fourth]) {
        await leases.acquire();
        if (passed % 5_000 === 0) await leases.renew();
      }
      expect(third.held().length + fourth.held().length).toBe(passed < leaseMs ? 0 : 64);
      clock.now += 1_000;
    }
    expect(await settle(third, fourth)).toEqual([32, 32]);
  });

  it("keep what they hold from one whose clock is a day behind", async () => {
    const { clock, worker } = createCase();
    const first = worker();
    await first.acquire();
    const second = worker({ now: () => clock.now - 24 * 60 * 60 * 1_000 });
    for (let passed = 0; passed < 4 * leaseMs; passed += 1_000) {
      if (passed % 5_000 === 0) await first.renew();
      await second.acquire();
      expect(second.held()).toEqual([]);
      clock.now += 1_000;
    }
    expect(first.held().length).toBe(64);
  });

  it("cannot write with a fence that was taken", async () => {
    const { clock, store, worker, settle } = createCase();
    const [first, second] = [worker(), worker()];
    await settle(first);
    const partition = "p17";
    const fence = first.fence(partition);
    clock.now += leaseMs;
    await second.acquire();
    expect(second.holds(partition)).toBe(true);
    const late = await store.commit(partition, {
      checks: fence === undefined ? [] : [fence],
      mutations: [{ type: "set", key: [partition, "late"], value: "" }],
    });
    expect(late.ok).toBe(false);
  });

  it("know that their leases may be another's once they have not renewed for so long", async () => {
    const { clock, worker } = createCase();
    const leases = worker();
    await leases.acquire();
    expect(clock.now).toBeLessThan(leases.validUntil());
    clock.now += leaseMs;
    expect(clock.now).toBeGreaterThanOrEqual(leases.validUntil());
    await leases.renew();
    expect(leases.validUntil()).toBe(clock.now + leaseMs);
  });

  it.each([leaseMs, leaseMs / 2])(
    "hold nothing that they were given %i ms late: it runs out too soon, or has run out",
    async (late) => {
      const { clock, store, worker } = createCase();
      const leases = worker();
      store.onCommit = async (_, { mutations }, next) => {
        const result = await next();
        // It stands still before it is told that it has one of them.
        if (mutations.some(({ key }) => key[0] === "p07" && key[1] === "lease")) clock.now += late;
        return result;
      };
      await leases.acquire();
      expect(leases.holds("p07")).toBe(false);
      store.onCommit = undefined;
      clock.now += leaseMs - late;
      await leases.acquire();
      expect(leases.held()).toHaveLength(64);
    },
  );

  it("take at once what they were given without being told", async () => {
    const { store, worker } = createCase();
    const leases = worker();
    store.onCommit = async (_, { mutations }, next) => {
      const result = await next();
      if (mutations.some(({ key }) => key[0] === "p07" && key[1] === "lease"))
        throw new Error("the connection broke");
      return result;
    };
    await expect(leases.acquire()).rejects.toThrow("the connection broke");
    expect(leases.holds("p07")).toBe(false);
    store.onCommit = undefined;
    await leases.acquire();
    expect(leases.held()).toHaveLength(64);
  });

  it("that are given up while they are being renewed are free", async () => {
    const { store, worker } = createCase();
    const leases = worker();
    await leases.acquire();
    // The expiry of none of them is known after a fault: it is read.
    store.onCommit = () => Promise.reject(new Error("away"));
    await leases.renew();
    await rest();
    store.onCommit = undefined;
    const { promise: mayRead, resolve: letRead } = Promise.withResolvers<void>();
    store.onGet = async (_, next) => {
      await mayRead;
      return next();
    };
    const renewed = leases.renew();
    await leases.giveUp("p07");
    letRead();
    await renewed;
    expect(await store.get(["p07", "lease-expiry"])).toBe("0");
  });

  it("hold what they were given late no longer than those who gave it know", async () => {
    const { clock, store, worker } = createCase();
    const leases = worker();
    const asked = clock.now;
    store.onCommit = async (partition, _, next) => {
      const result = await next();
      if (partition === "p63") {
        clock.now += leaseMs / 2 - 1;
        store.onCommit = undefined;
        // Those that are held already are renewed meanwhile.
        await leases.renew();
      }
      return result;
    };
    await leases.acquire();
    expect(leases.holds("p63")).toBe(true);
    expect(leases.validUntil()).toBe(asked + leaseMs);
    await leases.renew();
    expect(leases.validUntil()).toBe(clock.now + leaseMs);
  });

  it("are not shortened by a renewal that failed and happens after a later one", async () => {
    const { clock, store, worker } = createCase();
    const leases = worker();
    await leases.acquire();
    const late: (() => Promise<unknown>)[] = [];
    store.onCommit = (_, __, next) => {
      late.push(next);
      return Promise.reject(new Error("no answer came in time"));
    };
    expect(await leases.renew()).toMatchObject({ lost: [], fault: { message: "no answer came in time" } });
    store.onCommit = undefined;
    clock.now += leaseMs - 1;
    expect(await leases.renew()).toEqual({ lost: [], fault: undefined });
    for (const happen of late) await happen();
    clock.now += leaseMs - 1;
    const other = worker();
    await other.acquire();
    expect([leases.held().length, other.held()]).toEqual([64, []]);
    expect(clock.now).toBeLessThan(leases.validUntil());
  });

  it.each(["at once", "right before the next one"])(
    "are renewed though a renewal that failed happened %s",
    async (moment) => {
      const { clock, store, worker } = createCase();
      const leases = worker();
      await leases.acquire();
      const late = new Map<string, () => Promise<unknown>>();
      store.onCommit = async (partition, _, next) => {
        if (moment === "at once") await next();
        else late.set(partition, next);
        throw new Error("the connection broke");
      };
      expect(await leases.renew()).toMatchObject({ lost: [], fault: { message: "the connection broke" } });
      store.onCommit = async (partition, _, next) => {
        await late.get(partition)?.();
        late.delete(partition);
        return next();
      };
      clock.now += 1_000;
      expect(await leases.renew()).toEqual({ lost: [], fault: undefined });
      expect([leases.held().length, leases.validUntil()]).toEqual([64, clock.now + leaseMs]);
      expect(await store.get(["p07", "lease-expiry"])).toBe(String(clock.now + leaseMs));
    },
  );

  it("are not shortened by a renewal that is still under way when a later one has come to its end", async () => {
    const { clock, store, worker } = createCase();
    const leases = worker();
    await leases.acquire();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    store.onCommit = async (partition, _, next) => {
      if (partition === "p08") throw new Error("the connection broke");
      if (partition === "p07") await answered;
      return next();
    };
    expect(await leases.renew()).toMatchObject({ lost: [], fault: { message: "the connection broke" } });
    store.onCommit = undefined;
    clock.now += 5_000;
    expect(await leases.renew()).toEqual({ lost: [], fault: undefined });
    answer();
    await rest();
    expect(await store.get(["p07", "lease-expiry"])).toBe(String(clock.now + leaseMs));
    expect(leases.validUntil()).toBe(clock.now + leaseMs);
  });

  it("are held no shorter for a renewal whose answer comes after that of a later one", async () => {
    const { clock, store, worker } = createCase();
    const leases = worker();
    await leases.acquire();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    store.onCommit = async (partition, _, next) => {
      if (partition === "p08") throw new Error("the connection broke");
      const result = await next();
      if (partition === "p07") await answered;
      return result;
    };
    expect(await leases.renew()).toMatchObject({ lost: [], fault: { message: "the connection broke" } });
    store.onCommit = undefined;
    clock.now += 5_000;
    expect(await leases.renew()).toEqual({ lost: [], fault: undefined });
    answer();
    await rest();
    expect(leases.validUntil()).toBe(clock.now + leaseMs);
  });

  it("start over where the storage was emptied", async () => {
    const { store, worker } = createCase();
    const leases = worker();
    await leases.acquire();
    for (const partition of partitions) {
      const entries = await store.list({ prefix: [partition], limit: 10 });
      await store.commit(partition, { mutations: entries.map(({ key }) => ({ type: "delete", key })) });
    }
    expect((await leases.renew()).lost.length).toBe(64);
    await leases.acquire();
    expect(leases.held()).toHaveLength(64);
  });

  it("that were taken are told of once, though a renewal fails beside them", async () => {
    const { clock, store, worker } = createCase();
    const slept = worker();
    await slept.acquire();
    clock.now += leaseMs + 1;
    const other = worker();
    await other.acquire();
    const taken = other.held();
    expect(taken.length).toBeGreaterThan(0);
    // Of all that is renewed together, one fails: what the worker says of itself.
    store.onCommit = (_, { mutations }, next) =>
      mutations.some(({ key }) => key[1] === "worker") ? Promise.reject(new Error("away")) : next();
    const failed = await slept.renew();
    expect(failed.fault).toMatchObject({ message: "away" });
    await rest();
    expect(slept.held().some((partition) => taken.includes(partition))).toBe(false);
    store.onCommit = undefined;
    expect([...failed.lost, ...(await slept.renew()).lost].toSorted()).toEqual(taken.toSorted());
    expect(await slept.renew()).toEqual({ lost: [], fault: undefined });
  });
});
