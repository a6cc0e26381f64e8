import { parseDeliveryRow } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Commit, CommitResult, Key, Store } from "@hookwright/storage";

/** A delivery that was removed from the log, as it was by then. */
export interface Swept {
  readonly accountId: string;
  readonly row: DeliveryRow;
  readonly at: number;
}

export interface WatchedOptions {
  readonly now: () => number;
  /** Time stands still until the storage has answered. */
  readonly onCall: (answered: Promise<unknown>) => void;
  readonly onSwept: (swept: Swept) => void;
}

/** The same store, which tells what is asked of it and what becomes of the log. */
export function watchStore(store: Store, { now, onCall, onSwept }: WatchedOptions): Store {
  function call<Result>(answered: Promise<Result>): Promise<Result> {
    onCall(answered);
    return answered;
  }

  async function commit(partition: string, asked: Commit): Promise<CommitResult> {
    const removed = asked.mutations.filter(({ type, key }) => type === "delete" && isDelivery(key));
    const texts = removed.length === 0 ? [] : await store.getMany(removed.map(({ key }) => key));
    const result = await store.commit(partition, asked);
    texts.forEach((text, index) => {
      if (text === undefined || !result.ok) return;
      onSwept({ accountId: String(removed[index]?.key[2]), row: parseDeliveryRow(text), at: now() });
    });
    return result;
  }

  return {
    get: (key) => call(store.get(key)),
    getMany: (keys) => call(store.getMany(keys)),
    list: (options) => call(store.list(options)),
    commit: (partition, asked) => call(commit(partition, asked)),
    watch: (partition, listener) => store.watch(partition, listener),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

function isDelivery(key: Key): boolean {
  return key[1] === "delivery";
}
