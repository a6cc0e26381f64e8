import { StorageError } from "@hookwright/storage";
import type { Commit, Store } from "@hookwright/storage";
import { Counter } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { SeriesHistogram } from "./series-histogram.ts";

const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const operations = ["get", "getMany", "list", "count", "commit"] as const;
type Operation = (typeof operations)[number];

/** Called when a commit has ended. The error is that of a commit that was rejected. */
export type OnCommit = (commit: Commit, error?: unknown) => void;

/** Wraps a store so that the duration and the errors of each operation are counted. Its promises are returned unchanged. */
export function observeStore(store: Store, registry: Registry, onCommit: OnCommit): Store {
  const registers = [registry];
  const seconds = new SeriesHistogram({
    name: "hookwright_store_operation_duration_seconds",
    help: "Duration of storage operations that succeeded.",
    labelNames: ["operation"],
    buckets,
    registers,
  });
  const errors = new Counter({
    name: "hookwright_store_errors_total",
    help: "Storage operations that failed, by the code of the error.",
    labelNames: ["operation", "code"],
    registers,
  });
  const open = (operation: Operation) => seconds.open({ operation });
  const addTo = {
    get: open("get"),
    getMany: open("getMany"),
    list: open("list"),
    count: open("count"),
    commit: open("commit"),
  };
  for (const operation of operations) errors.inc({ operation, code: "unavailable" }, 0);

  function observe<Result>(operation: Operation, run: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = run();
    result.then(
      () => addTo[operation]((performance.now() - startedAt) / 1_000),
      (error: unknown) =>
        errors.inc({ operation, code: error instanceof StorageError ? error.code : "other" }),
    );
    return result;
  }

  const count = store.count?.bind(store);
  return {
    name: store.name,
    get: (key) => observe("get", () => store.get(key)),
    getMany: (keys) => observe("getMany", () => store.getMany(keys)),
    list: (options) => observe("list", () => store.list(options)),
    count: count && ((options) => observe("count", () => count(options))),
    commit(partition, commit) {
      const result = observe("commit", () => store.commit(partition, commit));
      result.then(
        () => onCommit(commit),
        (error: unknown) => onCommit(commit, error),
      );
      return result;
    },
    watch: (listener) => store.watch(listener),
    readSpace: store.readSpace,
    outbox: store.outbox,
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
