import type { Key, Store } from "../port.ts";
import { assertEqual, assertRefused, assertTrue, ContractViolation } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const key: Key = ["p60", "a"];
const timeoutMs = 5_000;

/** Collects the calls of a listener. */
function collect(store: Store) {
  const received: (readonly Key[] | undefined)[] = [];
  const named = new Set<string>();
  let changed = Promise.withResolvers<void>();
  const unwatch = store.watch((keys) => {
    received.push(keys);
    for (const one of keys ?? []) named.add(JSON.stringify(one));
    changed.resolve();
    changed = Promise.withResolvers();
  });
  return {
    received,
    unwatch,
    /** Resolves when the listener has received these keys, or `undefined`. */
    async until(...keys: readonly Key[]): Promise<void> {
      const hasAll = () =>
        received.includes(undefined) || keys.every((one) => named.has(JSON.stringify(one)));
      while (!hasAll()) await within(changed.promise);
    },
  };
}

function notify(store: Store, partition: string, ...keys: readonly Key[]) {
  return store.commit(partition, {
    mutations: [{ type: "sum", key: [partition, "notified"], amount: 1 }],
    notify: keys,
  });
}

export const notificationCases: readonly StoreContractCase[] = [
  storeCase("a watch receives the keys of commits of every partition", async (store) => {
    const watch = collect(store);
    const keys = ["p00", "p31", "p60", "p63"].map((partition): Key => [partition, "queue", 1, "ü\0"]);
    await Promise.all(keys.map((one) => notify(store, one[0], one)));
    await watch.until(...keys);
    const later: Key = ["p00", "queue", 2];
    await notify(store, "p00", later);
    await watch.until(later);
    const given = new Set([...keys, later].map((one) => JSON.stringify(one)));
    for (const one of watch.received.flatMap((some) => some ?? []))
      assertTrue(
        given.has(JSON.stringify(one)),
        `a notification of ${JSON.stringify(one)}, which no commit has`,
      );
    watch.unwatch();
  }),

  storeCase("every watch receives all keys, unless it has ended", async (store) => {
    const [one, other, ended] = [collect(store), collect(store), collect(store)];
    ended.unwatch();
    ended.unwatch();
    await notify(store, "p60", ["p60", "one"], ["p60", "two"]);
    for (const watch of [one, other]) await watch.until(["p60", "one"], ["p60", "two"]);
    one.unwatch();
    const before = one.received.length;
    await notify(store, "p60", ["p60", "three"]);
    await other.until(["p60", "three"]);
    assertEqual(one.received.length, before, "calls after the end of a watch");
    assertEqual(ended.received, [], "calls of a watch that ended at once");
    other.unwatch();
  }),

  storeCase("concurrent notifications lose no key", async (store) => {
    const watch = collect(store);
    const inner: [string, string, number] = ["p60", "one", 1];
    const given: Key[] = [inner];
    const committing = [notify(store, "p60", ...given), notify(store, "p60", ["p60", "two", 1])];
    inner[1] = "the caller may change its arrays";
    given.pop();
    await Promise.all(committing);
    await notify(store, "p60", ["p60", "three", 1], ["p60", "one", 1]);
    await watch.until(["p60", "one", 1], ["p60", "two", 1], ["p60", "three", 1]);
    const many = Array.from({ length: 3_000 }, (_, number): Key => ["p60", "many", number]);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        notify(store, "p60", ...many.slice(index * 100, (index + 1) * 100)),
      ),
    );
    await watch.until(...many);
    watch.unwatch();
  }),

  storeCase("a listener that reads finds the commit of the notification", async (store) => {
    const found = Promise.withResolvers<string | undefined>();
    const unwatch = store.watch((keys) => {
      void store.get(key).then((text) => {
        // A call without keys may also mean that the watch has just begun.
        if (keys !== undefined || text !== undefined) found.resolve(text);
      }, found.reject);
    });
    await store.commit("p60", { mutations: [{ type: "set", key, value: "here" }], notify: [key] });
    assertEqual(await within(found.promise), "here", "get");
    unwatch();
  }),

  storeCase("commits without keys and rejected commits notify nobody", async (store) => {
    const watch = collect(store);
    await store.commit("p61", { mutations: [{ type: "set", key: ["p61", "quiet"], value: "" }] });
    await notify(store, "p61");
    await store.commit("p61", { mutations: [], notify: undefined });
    await Promise.all([
      store.commit("p61", {
        checks: [{ key: ["p61", "none"], value: "" }],
        mutations: [],
        notify: [["p61", "refused"]],
      }),
      notify(store, "p61", ["p61", "done"]),
    ]);
    await watch.until(["p61", "done"]);
    assertTrue(
      watch.received.every((keys) => keys === undefined || keys.length > 0),
      "a listener was called with an empty list of keys",
    );
    const named = watch.received.flatMap((keys) => keys ?? []);
    assertTrue(
      named.every((one) => one[1] === "done"),
      `no commit that was applied names ${JSON.stringify(named)}`,
    );
    watch.unwatch();
  }),

  storeCase("a commit that notifies invalid keys is rejected and writes nothing", async (store) => {
    const concurrent = notify(store, "p60", ["p60", "other"]);
    const set = (...keys: readonly Key[]) =>
      store.commit("p60", { mutations: [{ type: "set", key, value: "" }], notify: keys });
    await assertRefused(() => set(["p60", "a"], ["p61", "one"]), "wrong_partition", "another partition");
    await assertRefused(() => set(["p60", 0.5]), "invalid_key", "an invalid key");
    assertTrue((await concurrent).ok, "a concurrent commit is applied");
    assertEqual(await store.get(key), undefined, "get");
  }),

  storeCase("a listener may write, watch and end its watch", async (store) => {
    const done = Promise.withResolvers<void>();
    const unwatch = store.watch(() => {
      unwatch();
      const inner = store.watch(() => inner());
      void store
        .commit("p60", { mutations: [{ type: "set", key, value: "from the listener" }], notify: [key] })
        .then(() => done.resolve(), done.reject);
    });
    await notify(store, "p60", key);
    await within(done.promise);
    assertEqual(await store.get(key), "from the listener", "get");
  }),
];

async function within<Result>(promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ContractViolation(`no notification came within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
