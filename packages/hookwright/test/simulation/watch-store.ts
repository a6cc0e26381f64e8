import { findDeliveries, queueTables } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { parseDeliveryRow } from "../../../delivery/src/storage/delivery-codec.ts";
import type { Commit, CommitResult, Key, Store } from "@hookwright/storage";

/** A delivery as it was when it was removed from the log. */
export interface Swept {
  readonly accountId: string;
  readonly row: DeliveryRow;
  readonly at: number;
}

/** An event that a webhook missed. */
export interface Missed {
  readonly accountId: string;
  readonly webhookId: string;
  readonly at: number;
}

/** A delivery that a job created. */
export interface SentByJob {
  readonly jobId: string;
  readonly row: DeliveryRow;
}

export interface WatchedOptions {
  readonly now: () => number;
  /** Called around each call, so that the clock stands still until the storage responds. */
  readonly onCall: (answered: Promise<unknown>) => void;
  readonly onSwept: (swept: Swept) => void;
  readonly onMissed: (missed: Missed) => void;
  readonly onSentByJob: (sent: SentByJob) => void;
}

/** Wraps a store to observe its calls and the removals from the log. */
export function watchStore(
  store: Store,
  { now, onCall, onSwept, onMissed, onSentByJob }: WatchedOptions,
): Store {
  function call<Result>(answered: Promise<Result>): Promise<Result> {
    onCall(answered);
    return answered;
  }

  async function commit(partition: string, asked: Commit): Promise<CommitResult> {
    const removed = asked.mutations.filter(({ type, key }) => type === "delete" && isDelivery(key));
    const rows = await Promise.all(
      removed.map(async ({ key: [, , accountId, id] }) => {
        const found = await findDeliveries(store, String(accountId), [String(id)]);
        return found.map((row) => ({ accountId: String(accountId), row }));
      }),
    );
    const result = await store.commit(partition, asked);
    if (!result.ok) return result;
    for (const { accountId, row } of rows.flat()) onSwept({ accountId, row, at: now() });
    for (const { type, key } of asked.mutations)
      if (type === "set" && key[1] === "missed-event")
        onMissed({ accountId: String(key[2]), webhookId: String(key[3]), at: Number(key[4]) });
    const job = asked.mutations.find(({ type, key }) => type === "set" && key[1] === "recovery");
    for (const mutation of job === undefined ? [] : asked.mutations)
      if (mutation.type === "set" && isQueued(mutation.key))
        onSentByJob({ jobId: String(job?.key.at(-1)), row: parseDeliveryRow(mutation.value) });
    return result;
  }

  return {
    get: (key) => call(store.get(key)),
    getMany: (keys) => call(store.getMany(keys)),
    list: (options) => call(store.list(options)),
    commit: (partition, asked) => call(commit(partition, asked)),
    watch: (listener) => store.watch(listener),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

function isQueued(key: Key): boolean {
  return queueTables.some((table) => table === key[1]);
}

function isDelivery(key: Key): boolean {
  return key[1] === "delivery";
}
