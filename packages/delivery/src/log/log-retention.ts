import type { Key, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { logKeyOf } from "./delivery-log.ts";
import { parseDeliveryRow } from "../storage/delivery-codec.ts";
import { parseRowSize, renderRowSize } from "../storage/log-value.ts";
import type { DeliveryRow } from "../storage/delivery-row.ts";
import { keys, readLoggedStatus } from "../storage/keys.ts";

/** The accounts of a partition that have deliveries in their log. */
export async function* listAccountsWithLog(store: Store, partition: string): AsyncGenerator<string> {
  for await (const page of listPages(store, { prefix: keys.deliveriesIn(partition), groupBy: 1 }))
    for (const { key } of page) yield String(key[2]);
}

export interface LogSize {
  readonly count: number;
  readonly bytes: number;
}

/** Entries of the index read at once. */
const measuredAtOnce = 200;

/** Measures the log of an account by its index. `pause` is awaited between two reads. */
export async function measureLog(
  store: Store,
  accountId: string,
  pause: () => Promise<void>,
): Promise<{ readonly all: LogSize; readonly ended: LogSize }> {
  const all = { count: 0, bytes: 0 };
  const ended = { count: 0, bytes: 0 };
  for (let after: Key | undefined; ;) {
    const entries = await store.list({ prefix: keys.logs(accountId), limit: measuredAtOnce, after });
    for (const { key, value } of entries) {
      for (const size of readLoggedStatus(key) === "pending" ? [all] : [all, ended]) {
        size.count += 1;
        size.bytes += parseRowSize(value);
      }
    }
    if (entries.length < measuredAtOnce) return { all, ended };
    after = entries.at(-1)?.key;
    await pause();
  }
}

/** A delivery of the log. A damaged row has an `error` instead. */
export type LoggedDelivery = { readonly id: string; readonly bytes: number } & (
  | { readonly delivery: DeliveryRow }
  | { readonly error: unknown }
);

/** The oldest deliveries of the log, after an id. */
export async function listOldestLogged(
  store: Store,
  accountId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<LoggedDelivery[]> {
  const prefix = keys.deliveries(accountId);
  const entries = await store.list({
    prefix,
    limit,
    after: after === undefined ? undefined : [...prefix, after],
  });
  return entries.map(({ key, value }) => {
    const logged = { id: String(key.at(-1)), bytes: parseRowSize(renderRowSize(value)) };
    try {
      return { ...logged, delivery: parseDeliveryRow(value) };
    } catch (error) {
      return { ...logged, error };
    }
  });
}

/** Removes an ended delivery from the log. */
export function removeFromLog(accountId: string, delivery: DeliveryRow): Mutation[] {
  return [
    { type: "delete", key: keys.delivery(accountId, delivery.id) },
    { type: "delete", key: logKeyOf(accountId, delivery) },
  ];
}
