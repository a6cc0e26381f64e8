import type { Commit, Mutation, Store } from "@hookwright/storage";

/**
 * Wraps a store for a program whose clock differs from the store's clock. Rows live at least as long as requested on
 * both clocks.
 *
 * Otherwise a program clock that is behind would write rows that are already expired. A row that lives too long is
 * harmless, because its readers check the times in the row.
 *
 * @param now milliseconds since the epoch on the program's clock
 */
export function extendExpiry(store: Store, now: () => number): Store {
  function extend(mutation: Mutation): Mutation {
    // `expiresInMs` already uses the store's clock.
    if (mutation.type === "delete" || mutation.expiresAt === undefined) return mutation;
    return { ...mutation, expiresAt: mutation.expiresAt + Math.max(0, Date.now() - now()) };
  }

  return {
    name: store.name,
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    list: (options) => store.list(options),
    count: store.count?.bind(store),
    commit(partition, commit) {
      const extended: Commit = { ...commit, mutations: commit.mutations.map(extend) };
      return store.commit(partition, extended);
    },
    watch: (listener) => store.watch(listener),
    readSpace: store.readSpace,
    readFacts: store.readFacts,
    outbox: store.outbox,
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
