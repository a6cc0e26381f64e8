import type { Commit, CommitResult, Key, ListOptions, Store } from "@hookwright/storage";

export interface FaultyStore extends Store {
  /** Replaces `commit` while it is set. `next` makes the commit. */
  onCommit:
    | ((partition: string, commit: Commit, next: () => Promise<CommitResult>) => Promise<CommitResult>)
    | undefined;
  /** The same for reads. */
  onGet: ((key: Key, next: () => Promise<string | undefined>) => Promise<string | undefined>) | undefined;
  onGetMany:
    | ((keys: readonly Key[], next: () => Promise<(string | undefined)[]>) => Promise<(string | undefined)[]>)
    | undefined;
  onList: ((options: ListOptions, next: Store["list"]) => ReturnType<Store["list"]>) | undefined;
}

/** A store whose calls a test can make fail or wait. */
export function toFaultyStore(store: Store): FaultyStore {
  return {
    onCommit: undefined,
    onGet: undefined,
    onGetMany: undefined,
    onList: undefined,
    get(key) {
      const next = () => store.get(key);
      return this.onGet === undefined ? next() : this.onGet(key, next);
    },
    getMany(keys) {
      const next = () => store.getMany(keys);
      return this.onGetMany === undefined ? next() : this.onGetMany(keys, next);
    },
    list(options) {
      return this.onList === undefined
        ? store.list(options)
        : this.onList(options, (given) => store.list(given));
    },
    commit(partition, commit) {
      const next = () => store.commit(partition, commit);
      return this.onCommit === undefined ? next() : this.onCommit(partition, commit, next);
    },
    watch: (listener) => store.watch(listener),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
  };
}
