import type { Commit, Key, Store } from "../port.ts";
import { assertEqual, assertRefused, assertTrue, ContractViolation } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const key: Key = ["p60", "a"];

/** Watches a partition; `woken()` resolves with the first wake-up. */
function watchOnce(store: Store, partition: string) {
  const { promise, resolve } = Promise.withResolvers<"woken">();
  const state = { calls: 0 };
  const unwatch = store.watch(partition, () => {
    state.calls++;
    resolve("woken");
  });
  return { woken: () => within(5_000, promise), unwatch, state };
}

function wake(store: Store, partition: string, how: Commit["wake"] = true) {
  return store.commit(partition, {
    mutations: [{ type: "sum", key: [partition, "woken"], amount: 1 }],
    wake: how,
  });
}

export const lifeCases: readonly StoreContractCase[] = [
  storeCase("a commit with wake calls those who watch its partition, and no others", async (store) => {
    const here = watchOnce(store, "p60");
    const there = watchOnce(store, "p61");
    const gone = watchOnce(store, "p60");
    gone.unwatch();
    gone.unwatch();
    await store.commit("p61", { mutations: [{ type: "set", key: ["p61", "quiet"], value: "" }] });
    await store.commit("p61", { checks: [{ key: ["p61", "none"], value: "" }], mutations: [], wake: true });
    await wake(store, "p60");
    await here.woken();
    assertEqual(there.state.calls, 0, "calls for a partition without a wake");
    assertEqual(gone.state.calls, 0, "calls after the watch has ended");
    await wake(store, "p61");
    await there.woken();
    here.unwatch();
    there.unwatch();
  }),

  storeCase("a wake-up names all keys it was given, or none", async (store) => {
    const everything = Promise.withResolvers<"told">();
    const told = new Set<unknown>();
    const unwatch = store.watch("p60", (beneath) => {
      for (const key of beneath ?? ["one", "two", "three"].map((name) => ["p60", name, 1]))
        told.add(JSON.stringify(key));
      if (told.size === 3) everything.resolve("told");
    });
    const inner: [string, string, number] = ["p60", "one", 1];
    const given: Key[] = [inner];
    const committing = [wake(store, "p60", given), wake(store, "p60", [["p60", "two", 1]])];
    inner[1] = "the arrays are the caller's again";
    given.pop();
    await Promise.all(committing);
    await wake(store, "p60", [
      ["p60", "three", 1],
      ["p60", "one", 1],
    ]);
    await within(5_000, everything.promise);
    assertEqual(told.size, 3, "keys that were told of");
    unwatch();
  }),

  storeCase(
    "a wake-up without keys among others is of everything, and no keys at all wake nobody",
    async (store) => {
      const anything = Promise.withResolvers<"anything">();
      const here = store.watch("p60", (beneath) => {
        if (beneath === undefined) anything.resolve("anything");
      });
      const quiet = watchOnce(store, "p61");
      await wake(store, "p61", []);
      await Promise.all([
        wake(store, "p60", [["p60", "one"]]),
        wake(store, "p60"),
        wake(store, "p60", [["p60", "two"]]),
      ]);
      await within(5_000, anything.promise);
      assertEqual(quiet.state.calls, 0, "calls for no keys at all");
      here();
      quiet.unwatch();
    },
  ),

  storeCase(
    "a commit whose wake-up names a key of another partition is refused, and nothing of it is written",
    async (store) => {
      const beside = wake(store, "p60");
      await assertRefused(
        () => store.commit("p60", { mutations: [{ type: "set", key, value: "" }], wake: [["p61", "one"]] }),
        "wrong_partition",
        "commit",
      );
      assertTrue((await beside).ok, "what is committed beside it is not held up");
      assertEqual(await store.get(key), undefined, "get");
    },
  ),

  storeCase("a listener may write, watch and end its watch", async (store) => {
    const { promise, resolve } = Promise.withResolvers<"done">();
    const unwatch = store.watch("p60", () => {
      unwatch();
      void store
        .commit("p60", { mutations: [{ type: "set", key, value: "from the listener" }] })
        .then(() => resolve("done"));
    });
    await wake(store, "p60");
    await within(5_000, promise);
    assertEqual(await store.get(key), "from the listener", "get");
  }),

  storeCase("after close every call is refused, and closing again is no fault", async (store) => {
    await store.commit("p60", { mutations: [{ type: "set", key, value: "1" }] });
    await store.close();
    await assertRefused(() => store.get(key), "closed", "get");
    await assertRefused(() => store.getMany([key]), "closed", "getMany");
    await assertRefused(() => store.getMany([]), "closed", "getMany of nothing");
    await assertRefused(() => store.list({ prefix: ["p60"], limit: 1 }), "closed", "list");
    await assertRefused(() => store.commit("p60", { mutations: [] }), "closed", "commit");
    await assertRefused(() => store.watch("p60", () => {}), "closed", "watch");
    await store.close();
    await store[Symbol.asyncDispose]();
  }),

  storeCase("close finishes the commits under way", async (store) => {
    const commits = Array.from({ length: 20 }, (_, index) =>
      store.commit("p60", { mutations: [{ type: "set", key: ["p60", index], value: "" }] }),
    );
    const closing = store.close();
    assertTrue(
      (await Promise.all(commits)).every(({ ok }) => ok),
      "every commit that was asked for before has succeeded",
    );
    await closing;
  }),
];

async function within<Result>(timeoutMs: number, promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ContractViolation(`no wake-up came within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
