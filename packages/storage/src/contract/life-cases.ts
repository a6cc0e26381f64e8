import type { Key } from "../port.ts";
import { assertRefused, assertTrue } from "./assertions.ts";
import { storeCase, type StoreContractCase } from "./contract-case.ts";

const key: Key = ["p60", "a"];

export const lifeCases: readonly StoreContractCase[] = [
  storeCase("after close every call is rejected, except close", async (store) => {
    await store.commit("p60", { mutations: [{ type: "set", key, value: "1" }] });
    await store.close();
    await assertRefused(() => store.get(key), "closed", "get");
    await assertRefused(() => store.getMany([key]), "closed", "getMany");
    await assertRefused(() => store.getMany([]), "closed", "getMany without keys");
    await assertRefused(() => store.list({ prefix: ["p60"], limit: 1 }), "closed", "list");
    await assertRefused(() => store.commit("p60", { mutations: [] }), "closed", "commit");
    await assertRefused(() => store.watch(() => {}), "closed", "watch");
    await store.close();
    await store[Symbol.asyncDispose]();
  }),

  storeCase("close finishes running commits", async (store) => {
    const commits = Array.from({ length: 20 }, (_, index) =>
      store.commit("p60", { mutations: [{ type: "set", key: ["p60", index], value: "" }] }),
    );
    const closing = store.close();
    assertTrue(
      (await Promise.all(commits)).every(({ ok }) => ok),
      "every earlier commit has succeeded",
    );
    await closing;
  }),
];
