import { createStorage, type Driver, type Storage as UnstorageStorage } from "unstorage";

/** The outcome of one write. All but `done` fail. `late` stores the item some calls later. */
export type WriteOutcome = "done" | "lost" | "stored" | "torn" | "late";

export interface FaultyDriver {
  readonly storage: UnstorageStorage;
  /** The stored items by name. */
  readonly data: Map<string, string>;
  /** Returns the outcome of each write and removal. @default `done` */
  outcomeOf: (call: {
    readonly number: number;
    readonly name: string;
    readonly type: "set" | "remove";
  }) => WriteOutcome;
  /** Returns how many iterations of the event loop a write takes. @default none */
  delayOf: (name: string) => number;
  /** Makes every later call fail without storing anything. */
  crash(): void;
  /** The number of writes and removals. */
  readonly calls: number;
}

const lateBy = 3;

/** Creates an unstorage storage in memory whose driver fails as specified. */
export function createFaultyDriver(data = new Map<string, string>()): FaultyDriver {
  let late: { readonly due: number; readonly store: () => void }[] = [];
  let calls = 0;
  let crashed = false;

  function assertRuns(): void {
    if (crashed) throw new Error("the driver has crashed");
  }

  function suffer(name: string, type: "set" | "remove", store: () => void, tear: () => void): void {
    assertRuns();
    const number = calls++;
    for (const each of late) if (each.due <= number) each.store();
    late = late.filter(({ due }) => due > number);
    const outcome = faulty.outcomeOf({ number, name, type });
    if (outcome === "late") late.push({ due: number + lateBy, store });
    if (outcome === "done" || outcome === "stored") store();
    if (outcome === "torn") tear();
    if (outcome !== "done") throw new Error("the driver has failed");
  }

  const driver: Driver = {
    name: "faulty",
    hasItem: (name) => data.has(name),
    getItem(name) {
      assertRuns();
      return data.get(name) ?? null;
    },
    getKeys() {
      assertRuns();
      return [...data.keys()];
    },
    async setItem(name, text) {
      for (let turn = faulty.delayOf(name); turn > 0; turn--)
        await new Promise((resolve) => setImmediate(resolve));
      const store = () => void data.set(name, text);
      suffer(name, "set", store, () => void data.set(name, text.slice(0, text.length / 2)));
    },
    removeItem(name) {
      const store = () => void data.delete(name);
      suffer(name, "remove", store, store);
    },
  };

  const faulty: FaultyDriver = {
    storage: createStorage({ driver }),
    data,
    outcomeOf: () => "done",
    delayOf: () => 0,
    crash() {
      crashed = true;
    },
    get calls() {
      return calls;
    },
  };
  return faulty;
}

/** Returns a copy of the items that a dead process left, as another machine finds them much later. */
export function remainingItems({ data }: Pick<FaultyDriver, "data">): Map<string, string> {
  return new Map([...data].filter(([name]) => !/^hookwright:(?:owner|candidate):/u.test(name)));
}
