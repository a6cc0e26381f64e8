import { StorageError } from "@hookwright/storage";
import type { Commit, Store } from "@hookwright/storage";
import { Counter } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { SeriesHistogram } from "./series-histogram.ts";

const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const operations = ["get", "getMany", "list", "count", "commit"] as const;
type Operation = (typeof operations)[number];

/** Called with a commit that begins. Returns a function that is called at its end, with the error of a commit that was rejected. */
export type OnCommit = (commit: Commit) => ((error?: unknown) => void) | undefined;

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

  /** It does not hold what was read or written: thousands of commits may wait for the disk. */
  function observe<Result>(
    operation: Operation,
    startedAt: number,
    result: Promise<Result>,
    onEnd?: (error?: unknown) => void,
  ): Promise<Result> {
    result.then(
      () => {
        addTo[operation]((performance.now() - startedAt) / 1_000);
        onEnd?.();
      },
      (error: unknown) => {
        errors.inc({ operation, code: error instanceof StorageError ? error.code : "other" });
        onEnd?.(error);
      },
    );
    return result;
  }

  const count = store.count?.bind(store);
  return {
    name: store.name,
    get: (key) => observe("get", performance.now(), store.get(key)),
    getMany: (keys) => observe("getMany", performance.now(), store.getMany(keys)),
    list: (options) => observe("list", performance.now(), store.list(options)),
    count: count && ((options) => observe("count", performance.now(), count(options))),
    commit: (partition, commit) =>
      observe("commit", performance.now(), store.commit(partition, commit), onCommit(commit)),
    watch: (listener) => store.watch(listener),
    readSpace: store.readSpace,
    readFacts: store.readFacts,
    outbox: store.outbox,
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
