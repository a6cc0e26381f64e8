import { createStorage, type Driver, type Storage as UnstorageStorage } from "unstorage";

/** What becomes of one call that writes. All but `done` fail; `late` stores what it should have some calls later. */
export type Fate = "done" | "lost" | "stored" | "torn" | "late";

export interface FaultyDriver {
  readonly storage: UnstorageStorage;
  /** What has been stored, by name. */
  readonly data: Map<string, string>;
  /** Asked at each write and removal. @default every call is done */
  fateOf: (call: { readonly number: number; readonly name: string; readonly type: "set" | "remove" }) => Fate;
  /** How many turns of the event loop a write takes. @default none */
  turnsOf: (name: string) => number;
  /** From now on every call fails, and nothing is stored any more. */
  crash(): void;
  /** Writes and removals so far. */
  readonly calls: number;
}

const lateBy = 3;

/** An unstorage storage in memory whose driver fails as it is told to. */
export function createFaultyDriver(data = new Map<string, string>()): FaultyDriver {
  let late: { readonly due: number; readonly store: () => void }[] = [];
  let calls = 0;
  let crashed = false;

  function assertRuns(): void {
    if (crashed) throw new Error("the driver is gone");
  }

  function suffer(name: string, type: "set" | "remove", store: () => void, tear: () => void): void {
    assertRuns();
    const number = calls++;
    for (const each of late) if (each.due <= number) each.store();
    late = late.filter(({ due }) => due > number);
    const fate = faulty.fateOf({ number, name, type });
    if (fate === "late") late.push({ due: number + lateBy, store });
    if (fate === "done" || fate === "stored") store();
    if (fate === "torn") tear();
    if (fate !== "done") throw new Error("the driver has failed");
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
      for (let turn = faulty.turnsOf(name); turn > 0; turn--)
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
    fateOf: () => "done",
    turnsOf: () => 0,
    crash() {
      crashed = true;
    },
    get calls() {
      return calls;
    },
  };
  return faulty;
}

/** A copy of what a process that died has left behind, as another machine finds it long after. */
export function leftBehind({ data }: Pick<FaultyDriver, "data">): Map<string, string> {
  return new Map([...data].filter(([name]) => !/^hookwright:(?:owner|candidate):/u.test(name)));
}
