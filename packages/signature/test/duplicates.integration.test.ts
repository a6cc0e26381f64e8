import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { Redis } from "ioredis";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { hasRedisServer, startRedisServer } from "../../storage/test/support/redis-server.ts";
import {
  createDuplicateGuard,
  memoryDuplicates,
  redisDuplicates,
  unstorageDuplicates,
} from "../src/duplicates.ts";
import type { DuplicateGuardOptions, DuplicateStorage } from "../src/duplicates.ts";
import { SignatureError } from "../src/index.ts";

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

let server: Promise<string> | undefined;

/** One server for the file. Each case has its own prefix. */
async function startRedis(): Promise<string> {
  const started = await startRedisServer();
  ends.push(async () => started[Symbol.asyncDispose]());
  return started.url;
}

async function openRedis(): Promise<DuplicateStorage> {
  const redis = new Redis(await (server ??= startRedis()));
  ends.push(() => redis.quit());
  return redisDuplicates((command, ...words) => redis.call(command, ...words));
}

async function openFiles(now: () => number): Promise<DuplicateStorage> {
  const base = await mkdtemp(join(tmpdir(), "hookwright-duplicates-"));
  ends.push(() => rm(base, { recursive: true }));
  return unstorageDuplicates(createStorage({ driver: fsDriver({ base }) }), { now });
}

interface StorageCase {
  readonly name: string;
  open(now: () => number): DuplicateStorage | Promise<DuplicateStorage>;
}

const storageCases: readonly StorageCase[] = [
  { name: "memory", open: (now) => memoryDuplicates({ now }) },
  { name: "unstorage's memory", open: (now) => unstorageDuplicates(createStorage(), { now }) },
  { name: "unstorage's fs", open: openFiles },
  ...(hasRedisServer ? [{ name: "Redis", open: openRedis }] : []),
];

describe.each(storageCases)("in $name, a guard", ({ name, open }) => {
  /** Redis has its own clock, so a second has to pass. */
  async function openGuard(options: DuplicateGuardOptions = {}) {
    let offset = 0;
    const storage = await open(() => Date.now() + offset);
    const prefix = `case-${crypto.randomUUID()}:`;
    const guard = createDuplicateGuard({ storage, prefix, ...options });
    return { guard, storage, prefix, pass: (ms: number) => void (offset += ms) };
  }

  it("handles an event once, however often it is delivered, even at once", async () => {
    const { guard } = await openGuard();
    let handled = 0;
    const othersAnswered = Promise.withResolvers<void>();
    const handle = async (): Promise<void> => {
      handled += 1;
      await othersAnswered.promise;
    };
    const calls = Array.from({ length: 20 }, () => guard.once("order.paid_1", handle));
    let answered = 0;
    for (const outcome of calls) {
      void outcome.then(() => {
        answered += 1;
        if (answered === 19) othersAnswered.resolve();
      });
    }
    const outcomes = await Promise.all(calls);
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 19 }, () => "busy"), "handled"]);
    expect(await guard.once("order.paid_1", handle)).toBe("duplicate");
    expect(await guard.once("order.paid_2", handle)).toBe("handled");
    expect(handled).toBe(2);
  });

  it("handles an event again after its handling failed", async () => {
    const { guard } = await openGuard();
    const failure = new Error("the printer is on fire");
    await expect(guard.once("order.paid_1", () => Promise.reject(failure))).rejects.toBe(failure);
    const refuse = (): never => {
      throw failure;
    };
    await expect(guard.once("order.paid_1", refuse)).rejects.toBe(failure);
    expect(await guard.once("order.paid_1", () => {})).toBe("handled");
  });

  it("gives an event to another caller after handlingSeconds, and ignores a late release", async () => {
    const { guard, pass } = await openGuard({ handlingSeconds: name === "Redis" ? 1 : 60 });
    const first = await guard.claim("order.paid_1");
    expect((await guard.claim("order.paid_1")).status).toBe("busy");
    pass(60_000);
    await expect
      .poll(async () => (await guard.claim("order.paid_1")).status, { interval: 10 })
      .toBe("claimed");
    if (first.status !== "claimed") throw new Error("the event was already claimed");
    await first.release();
    expect((await guard.claim("order.paid_1")).status).toBe("busy");
    // The first caller handled it too, only late.
    await first.commit();
    expect((await guard.claim("order.paid_1")).status).toBe("done");
  });

  it("keeps an event claimed, however many other callers claim it", async () => {
    const { guard } = await openGuard();
    const first = await guard.claim("order.paid_1");
    for (let call = 0; call < 3; call++) expect((await guard.claim("order.paid_1")).status).toBe("busy");
    if (first.status !== "claimed") throw new Error("the event was already claimed");
    await first.release();
    const second = await guard.claim("order.paid_1");
    expect(second.status).toBe("claimed");
    await first.release();
    expect((await guard.claim("order.paid_1")).status).toBe("busy");
  });

  it("forgets an event after rememberedSeconds", async () => {
    const { guard, pass } = await openGuard({ rememberedSeconds: name === "Redis" ? 0.05 : 86_400 });
    expect(await guard.once("order.paid_1", () => {})).toBe("handled");
    pass(86_400_000);
    await expect.poll(() => guard.once("order.paid_1", () => {}), { interval: 10 }).toBe("handled");
  });

  it("distinguishes events by every character of their ids", async () => {
    const { guard } = await openGuard();
    const ids = [
      "order.paid_a",
      "order.paid_A",
      "order.paid_a:b",
      "order.paid_a::b",
      "order.paid_a/b",
      "order.paid_..",
      "done",
      `order.paid_${"x".repeat(500)}`,
      "é",
    ];
    for (const id of ids) expect([id, await guard.once(id, () => {})]).toEqual([id, "handled"]);
    for (const id of ids) expect([id, await guard.once(id, () => {})]).toEqual([id, "duplicate"]);
  });
});

it("an event is handled exactly once despite failures and concurrent deliveries", async () => {
  const scenario = fc.array(fc.record({ id: fc.constantFrom("a", "b"), fails: fc.boolean() }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), scenario, async (scheduler, deliveries) => {
      const guard = createDuplicateGuard({ storage: unstorageDuplicates(createStorage()) });
      const handled = new Map<string, number>();
      const outcomes = deliveries.map(({ id, fails }) =>
        guard
          .once(id, async () => {
            await scheduler.schedule(Promise.resolve());
            if (fails) throw new Error("failed");
            handled.set(id, (handled.get(id) ?? 0) + 1);
          })
          .catch(() => "failed"),
      );
      await scheduler.waitFor(Promise.all(outcomes));
      const all = await Promise.all(outcomes);
      for (const id of ["a", "b"]) {
        const handledHere = all.filter(
          (outcome, index) => deliveries[index]?.id === id && outcome === "handled",
        );
        expect(handledHere).toHaveLength(handled.get(id) ?? 0);
        expect(handledHere.length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 50 },
  );
});

describe("a guard", () => {
  it("in memory keeps only the newest events if there are too many", async () => {
    const guard = createDuplicateGuard({ storage: memoryDuplicates({ most: 3 }) });
    for (const id of ["1", "2", "3", "4"]) await guard.once(id, () => {});
    expect(await guard.once("4", () => {})).toBe("duplicate");
    expect(await guard.once("2", () => {})).toBe("duplicate");
    expect(await guard.once("1", () => {})).toBe("handled");
  });

  it("treats an undefined option as omitted", async () => {
    const storages = [
      memoryDuplicates({ most: undefined, now: undefined }),
      unstorageDuplicates(createStorage(), { now: undefined }),
    ];
    for (const storage of storages) {
      const guard = createDuplicateGuard({ storage, handlingSeconds: undefined });
      expect(await guard.once("a", () => {})).toBe("handled");
    }
  });

  it("in memory counts the last commit as the newest event", async () => {
    const storage = memoryDuplicates({ most: 2 });
    for (const [key, mark] of [
      ["1", "claimed"],
      ["2", "claimed"],
      ["1", "done"],
      ["3", "claimed"],
    ] as const)
      await storage.put(key, mark, 60);
    expect(await storage.claim("1", "mark", 60)).toBe("done");
  });

  it.each([
    ["memory", (now: () => number) => memoryDuplicates({ now })],
    ["unstorage", (now: () => number) => unstorageDuplicates(createStorage(), { now })],
  ])("in %s knows an event until its last millisecond", async (_name, open) => {
    let now = 1_000;
    const storage = open(() => now);
    await storage.put("1", "done", 2);
    now = 2_999;
    expect(await storage.claim("1", "mark", 1)).toBe("done");
    now = 3_000;
    expect(await storage.claim("1", "mark", 1)).toBeNull();
  });

  it("in memory removes expired events when new ones arrive", async () => {
    let now = 0;
    const storage = memoryDuplicates({ now: () => now });
    storage.put("1", "done", 1);
    storage.put("2", "done", 3);
    now = 2_000;
    storage.put("3", "done", 3);
    now = 0;
    expect(await storage.claim("1", "mark", 1)).toBeNull();
    expect(await storage.claim("2", "mark", 1)).toBe("done");
  });

  it("whose storage fails reports both errors, of the handler and of the release", async () => {
    const storage: DuplicateStorage = {
      claim: () => null,
      put: () => {},
      remove: () => Promise.reject(new Error("gone")),
    };
    const failure = new Error("the printer is on fire");
    const refused = createDuplicateGuard({ storage }).once("a", () => Promise.reject(failure));
    await expect(refused).rejects.toMatchObject({ errors: [failure, { message: "gone" }] });
  });

  it("whose claim was sent twice after a lost connection still has the claim", async () => {
    const storage = memoryDuplicates();
    const guard = createDuplicateGuard({
      storage: {
        ...storage,
        async claim(...words) {
          await storage.claim(...words);
          return storage.claim(...words);
        },
      },
    });
    expect(await guard.once("a", () => {})).toBe("handled");
    expect(await guard.once("a", () => {})).toBe("duplicate");
  });

  it.each([0, -1, Number.NaN])("in memory rejects a maximum of %d events", (most) => {
    expect(() => memoryDuplicates({ most })).toThrow(/^most must be a number of events, at least 1$/);
    expect(() => memoryDuplicates({ most })).toThrow(SignatureError);
  });

  it.each<[DuplicateGuardOptions, RegExp]>([
    [{ handlingSeconds: 0 }, /^handlingSeconds must be a number of seconds above 0 and below 8640000000000$/],
    [{ rememberedSeconds: Number.NaN }, /^rememberedSeconds must be/],
    [{ rememberedSeconds: Number.POSITIVE_INFINITY }, /^rememberedSeconds must be/],
    // Redis would reject it after the event was handled.
    [{ rememberedSeconds: Number.MAX_VALUE }, /^rememberedSeconds must be/],
  ])("rejects the options %j", (options, message) => {
    expect(() => createDuplicateGuard(options)).toThrow(message);
    expect(() => createDuplicateGuard(options)).toThrow(SignatureError);
  });

  it("distinguishes equal ids of two accounts by the site", async () => {
    const guard = createDuplicateGuard();
    const event = (site: string) => ({ id: "order.paid_1001", project: { id: site } });
    expect(await guard.once(event("site_1"), () => {})).toBe("handled");
    expect(await guard.once(event("site_2"), () => {})).toBe("handled");
    expect(await guard.once(event("site_1"), () => {})).toBe("duplicate");
  });

  it("retries once to store a handled event, and throws if that fails", async () => {
    let failures = 1;
    const memory = memoryDuplicates();
    const storage: DuplicateStorage = {
      ...memory,
      put: async (...words) => {
        if (failures-- > 0) throw new Error("gone");
        return memory.put(...words);
      },
    };
    const guard = createDuplicateGuard({ storage });
    expect(await guard.once("a", () => {})).toBe("handled");
    expect(await guard.once("a", () => {})).toBe("duplicate");
    failures = 2;
    await expect(guard.once("b", () => {})).rejects.toMatchObject({
      message: expect.stringContaining("was handled, but storing that failed"),
      cause: { message: "gone" },
    });
  });

  it("shares its events with other guards over one unstorage storage", async () => {
    const storage = createStorage();
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () =>
        createDuplicateGuard({ storage: unstorageDuplicates(storage) }).once("a", () => setImmediate()),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "handled")).toHaveLength(1);
  });

  it("on Redis accepts replies as bytes and rejects other types", async () => {
    let reply: unknown = new TextEncoder().encode("done");
    const guard = createDuplicateGuard({ storage: redisDuplicates(async () => reply) });
    expect((await guard.claim("a")).status).toBe("done");
    reply = 7;
    await expect(guard.claim("a")).rejects.toThrow("`send` must return the reply of Redis");
  });

  it.each([
    undefined,
    "",
    7,
    { id: "a" },
    { id: "", project: { id: "site_1" } },
    { id: "a", project: { id: 7 } },
    { id: "a", project: { id: "" } },
    { project: { id: "site_1" } },
  ])("refuses %j, which does not identify an event", async (id) => {
    const once = createDuplicateGuard().once.bind(undefined, JSON.parse(JSON.stringify(id ?? null)));
    await expect(once(() => {})).rejects.toMatchObject({ code: "invalid_option" });
  });
});

it("a lone surrogate cannot identify an event", async () => {
  await expect(createDuplicateGuard().claim("a\ud800")).rejects.toMatchObject({ code: "invalid_option" });
});

it("expired marks are removed from a storage without expiry", async () => {
  let now = 0;
  const items = createStorage();
  const storage = unstorageDuplicates(items, { now: () => now });
  await storage.put("a", "done", 1);
  now = 1_000;
  await storage.remove("a", "done");
  expect(await items.getKeys()).toEqual([]);
});

it("a sweep removes only expired marks", async () => {
  let now = 0;
  const base = await mkdtemp(join(tmpdir(), "hookwright-duplicates-"));
  onTestFinished(() => rm(base, { recursive: true }));
  const items = createStorage({ driver: fsDriver({ base }) });
  const storage = unstorageDuplicates(items, { now: () => now });
  await items.setItem("another-program", "1 done");
  await items.setItem("e".repeat(64), { not: "ours" });
  await items.setItem("f".repeat(64), "42 apples");
  for (const seconds of [1, 2, 3]) await storage.put(`event ${seconds}`, "done", seconds);
  now = 2_000;
  expect(await storage.sweep()).toBe(2);
  expect(await items.getKeys()).toHaveLength(4);
  expect(await storage.claim("event 3", "mark", 1)).toBe("done");
  expect(await storage.claim("event 2", "mark", 1)).toBeNull();
  expect(await storage.sweep()).toBe(0);
});

it("a sweep keeps a mark that is claimed meanwhile", async () => {
  let now = 0;
  const items = createStorage();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let removals = 0;
  const slow = {
    ...items,
    removeItem: async (item: string) => {
      removals += 1;
      if (removals === 1) await held;
      await items.removeItem(item);
    },
  };
  const storage = unstorageDuplicates(slow, { now: () => now });
  await storage.put("a", "done", 1);
  now = 1_000;
  const swept = storage.sweep();
  while (removals === 0) await setImmediate();
  const claimed = storage.claim("a", "mine", 60);
  for (const other of ["b", "c", "d"]) await storage.claim(other, "mark", 60);
  letGo();
  const [removed, known] = await Promise.all([swept, claimed]);
  expect(removed).toBe(1);
  expect(known).toBeNull();
  expect(await storage.claim("a", "yours", 60)).toBe("mine");
});

it("a file that another program wrote is not taken for a mark", async () => {
  const storage = createStorage();
  onTestFinished(() => storage.dispose());
  const guard = createDuplicateGuard({ storage: unstorageDuplicates(storage) });
  await guard.once("a", () => {});
  for (const key of await storage.getKeys()) await storage.setItem(key, { not: "ours" });
  expect(await guard.once("a", () => {})).toBe("handled");
});
