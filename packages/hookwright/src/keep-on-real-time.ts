import type { Commit, Mutation, Store } from "@hookwright/storage";

/**
 * The same store for a program whose clock is another than that of the store: what expires is kept at least as long as was asked
 * for, in the time of either clock. Else a clock that is behind would write rows that have expired when they come. What is kept
 * too long does no harm: whoever reads such a row looks at the times within it.
 *
 * @param now milliseconds since the epoch on the program's clock
 */
export function keepOnRealTime(store: Store, now: () => number): Store {
  function keepLonger(mutation: Mutation): Mutation {
    if (mutation.type === "delete" || mutation.expiresAt === undefined) return mutation;
    return { ...mutation, expiresAt: mutation.expiresAt + Math.max(0, Date.now() - now()) };
  }

  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    list: (options) => store.list(options),
    commit(partition, commit) {
      const kept: Commit = { ...commit, mutations: commit.mutations.map(keepLonger) };
      return store.commit(partition, kept);
    },
    watch: (partition, listener) => store.watch(partition, listener),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
