import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import {
  createFaultyDriver,
  remainingItems,
  type WriteOutcome,
  type FaultyDriver,
} from "./support/faulty-driver.ts";
import { commitNumber, contentsAfter, contentsOf, lastNumber } from "./support/numbered-commits.ts";

const settings = { snapshotSize: 4_000, heartbeatMs: 60_000 };

/** Groups of concurrent commits, and the write at which the process dies. */
const arbitraryLife = fc.record({
  groups: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 }),
  dyingCall: fc.integer({ min: 0, max: 120 }),
  dyingFate: fc.constantFrom<WriteOutcome>("lost", "torn", "stored"),
  /** The duration of a write, so that commits arrive during it. */
  turns: fc.integer({ min: 0, max: 6 }),
});

describe("an unstorage store whose process dies at a random driver call", () => {
  it("loses no acknowledged commit and shows no half commit", async () => {
    let removals = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryLife, { minLength: 1, maxLength: 4 }), async (lives) => {
        let driver = createFaultyDriver();
        const history: number[] = [];
        for (const { groups, dyingCall, dyingFate, turns } of lives) {
          driver = createFaultyDriver(remainingItems(driver));
          const { data, storage } = driver;
          driver.delayOf = (name) => (name.includes(":log:") ? turns : 0);
          driver.outcomeOf = ({ number, name, type }) => {
            if (type === "remove" && name.includes(":log:")) removals++;
            if (number < dyingCall) return "done";
            driver.crash();
            return dyingFate;
          };
          const store = await openUnstorageStore({ storage, ...settings }).catch(() => undefined);
          if (store !== undefined) {
            let next = history.length + 1;
            expect(await contentsOf(store)).toEqual(await contentsAfter(history));
            let acknowledged = history.length;
            for (const size of groups) {
              const numbers = Array.from({ length: size }, () => next++);
              const results = await Promise.allSettled(numbers.map((number) => commitNumber(store, number)));
              results.forEach(({ status }, index) => {
                if (status === "fulfilled") acknowledged = numbers[index] ?? 0;
              });
              if (results.some(({ status }) => status === "rejected")) break;
            }
            await store.close();
            driver = createFaultyDriver(remainingItems({ data }));
            const reopened = await openUnstorageStore({ storage: driver.storage, ...settings });
            const last = await lastNumber(reopened);
            expect(last).toBeGreaterThanOrEqual(acknowledged);
            expect(last).toBeLessThan(next);
            while (history.length < last) history.push(history.length + 1);
            expect(await contentsOf(reopened)).toEqual(await contentsAfter(history));
            await reopened.close();
          }
        }
      }),
      { numRuns: 150 },
    );
    // Otherwise the test does not cover snapshots.
    expect(removals).toBeGreaterThan(200);
  });
});

describe("an unstorage store whose driver sometimes fails", () => {
  const arbitraryOutcomes = fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constant<WriteOutcome>("done") },
      { weight: 4, arbitrary: fc.constantFrom<WriteOutcome>("lost", "stored", "torn", "late") },
    ),
    { minLength: 1, maxLength: 200 },
  );

  it("contains exactly the acknowledged commits, also when it is opened again", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryOutcomes, async (outcomes) => {
        const driver = createFaultyDriver();
        const store = await openUnstorageStore({ storage: driver.storage, ...settings });
        const first = driver.calls;
        driver.outcomeOf = ({ number }) => outcomes[number - first] ?? "done";
        const acknowledged: number[] = [];
        for (let number = 1; driver.calls < first + outcomes.length; number++) {
          const done = await commitNumber(store, number).then(
            () => true,
            (error: unknown) => expect(error).toMatchObject({ code: "unavailable" }),
          );
          if (done === true) acknowledged.push(number);
          expect(await contentsOf(store)).toEqual(await contentsAfter(acknowledged));
        }
        await commitNumber(store, 1_000_000);
        acknowledged.push(1_000_000);
        await store.close();
        await using reopened = await openUnstorageStore({ storage: driver.storage, ...settings });
        expect(await contentsOf(reopened)).toEqual(await contentsAfter(acknowledged));
      }),
      { numRuns: 60 },
    );
  });

  it("a commit is not checked against the changes of a failed commit", async () => {
    const driver = createFaultyDriver();
    await using store = await openUnstorageStore({ storage: driver.storage, ...settings });
    driver.outcomeOf = () => "lost";
    const key = ["p00", "once"] as const;
    const create = () =>
      store.commit("p00", {
        checks: [{ key, value: undefined }],
        mutations: [{ type: "set", key, value: "" }],
      });
    const results = await Promise.allSettled([create(), create()]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    driver.outcomeOf = () => "done";
    expect(await create()).toEqual({ ok: true });
  });

  it("a call without a reply fails, and its late effect changes nothing", async () => {
    const driver = createFaultyDriver();
    const { storage } = driver;
    const held = Promise.withResolvers<void>();
    let holds = false;
    const slow: typeof storage = Object.assign(Object.create(storage), {
      async setItem(name: string, text: string) {
        if (!holds) return storage.setItem(name, text);
        holds = false;
        await held.promise;
        await storage.setItem(name, text);
      },
    });
    const store = await openUnstorageStore({ storage: slow, ...settings, timeoutMs: 50 });
    await commitNumber(store, 1);
    holds = true;
    await expect(commitNumber(store, 2)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("no answer within 50 ms"),
    });
    await commitNumber(store, 3);
    held.resolve();
    await commitNumber(store, 4);
    await store.close();
    await using reopened = await openUnstorageStore({ storage, ...settings });
    expect(await contentsOf(reopened)).toEqual(await contentsAfter([1, 3, 4]));
  });
});

describe("the log of an unstorage store", () => {
  const commits = 12;

  /** Creates a log of that many items without a checkpoint. */
  async function writeLog(): Promise<FaultyDriver> {
    const driver = createFaultyDriver();
    const store = await openUnstorageStore({ storage: driver.storage });
    for (let number = 1; number <= commits; number++) await commitNumber(store, number);
    await store.close();
    return driver;
  }

  const arbitraryDamage = fc.oneof(
    fc.record({
      type: fc.constant("cut" as const),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    }),
    fc.record({
      type: fc.constant("garble" as const),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    }),
    fc.record({ type: fc.constant("lose" as const), at: fc.constant(0) }),
  );

  it("is accepted with a damaged or missing last item, and rejected with a damaged or missing earlier item", async () => {
    const { data } = await writeLog();
    const names = [...data.keys()].filter((name) => name.includes(":log:")).toSorted();
    expect(names).toHaveLength(commits);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: commits - 1 }), arbitraryDamage, async (index, { type, at }) => {
        const name = names[index] ?? "";
        const text = data.get(name) ?? "";
        const position = Math.floor(at * text.length);
        const other = text[position] === "7" ? "8" : "7";
        const damaged = new Map(data);
        if (type === "lose") damaged.delete(name);
        else if (type === "cut") damaged.set(name, text.slice(0, position));
        else damaged.set(name, text.slice(0, position) + other + text.slice(position + 1));
        const { storage } = createFaultyDriver(damaged);
        const opening = openUnstorageStore({ storage });
        if (index < commits - 1) {
          await expect(opening).rejects.toMatchObject({
            code: "corrupted",
            message: expect.stringContaining(name),
          });
          return;
        }
        await using store = await opening;
        const rest = Array.from({ length: commits - 1 }, (_, index) => index + 1);
        expect(await contentsOf(store)).toEqual(await contentsAfter(rest));
        // The store continues from there.
        await commitNumber(store, commits + 1);
        await store.close();
        await using reopened = await openUnstorageStore({ storage });
        expect(await contentsOf(reopened)).toEqual(await contentsAfter([...rest, commits + 1]));
      }),
      { numRuns: 200 },
    );
  });

  it("has items of at most 1,000 commits or 1 MiB, except for a larger commit", async () => {
    const driver = createFaultyDriver();
    const store = await openUnstorageStore({ storage: driver.storage, snapshotSize: 1e9 });
    /** Commits several times in one iteration of the event loop and returns the number of new items. */
    const itemsOf = async (count: number, length: number): Promise<number> => {
      const { calls } = driver;
      const key = ["p07", "row"] as const;
      const mutations = [{ type: "set", key, value: "x".repeat(length) }] as const;
      await Promise.all(Array.from({ length: count }, () => store.commit("p07", { mutations })));
      return driver.calls - calls;
    };
    expect(await itemsOf(1_000, 1)).toBe(1);
    expect(await itemsOf(2_001, 1)).toBe(3);
    expect(await itemsOf(5, 400_000)).toBe(3);
    expect(await itemsOf(2, 2_000_000)).toBe(2);
    await store.close();
  });

  it("is rejected if two processes have written to it", async () => {
    const { data } = await writeLog();
    const one = createFaultyDriver(new Map(data));
    const other = createFaultyDriver(new Map(data));
    for (const { storage } of [one, other]) {
      const store = await openUnstorageStore({ storage });
      await commitNumber(store, 100);
      await commitNumber(store, 101);
      await store.close();
    }
    const { storage } = createFaultyDriver(new Map([...one.data, ...other.data]));
    await expect(openUnstorageStore({ storage })).rejects.toMatchObject({
      code: "corrupted",
      message: expect.stringContaining("at the same time"),
    });
  });
});
