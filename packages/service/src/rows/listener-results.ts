import { bodyId } from "@hookwright/domain";
import type { ListenerResult } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Mutation, Store } from "@hookwright/storage";
import { keys } from "./keys.ts";
import type { ListenerEvent } from "./listener-row.ts";

/** Results may be shown longer than the events that they are about. */
const resultKeptMs = 60 * 60 * 1_000;
/** Open consoles look for new results more often. */
const reportKeptMs = 60 * 1_000;

/** A listener has reported its result for an event. */
export interface ResultReport {
  readonly id: string;
  /** The id of the body that the listener got. */
  readonly bodyId: string;
}

/** Reports that one read returns. The newest of them. */
const maximumReports = 50;

/** Stores the result of a listener, and for a minute that it is new, so that open consoles in all processes find it. */
export async function addResult(
  store: Store,
  accountId: string,
  {
    event,
    result,
    now,
  }: { readonly event: ListenerEvent; readonly result: ListenerResult; readonly now: number },
): Promise<void> {
  const { delivery_id: deliveryId, listener_id: listenerId } = result;
  const body = bodyId(event.event, event.record_id);
  const results = keys.listenerResults(accountId, body);
  const mutations: readonly Mutation[] = [
    {
      type: "set",
      key: [...results, deliveryId, listenerId],
      value: JSON.stringify(result),
      expiresInMs: resultKeptMs,
    },
    {
      type: "set",
      key: [...keys.listenerReports(accountId), now, deliveryId, listenerId],
      value: body,
      expiresInMs: reportKeptMs,
    },
  ];
  await store.commit(partitionOf(accountId), { mutations });
}

/** The results that were reported in the last minute. `isAll` is false if there are older ones that are not returned. */
export async function readReports(
  store: Store,
  accountId: string,
): Promise<{ readonly reports: readonly ResultReport[]; readonly isAll: boolean }> {
  const prefix = keys.listenerReports(accountId);
  const entries = await store.list({ prefix, limit: maximumReports, reverse: true });
  const reports = entries.map(({ key, value }) => ({
    id: key.slice(prefix.length).join(" "),
    bodyId: value,
  }));
  return { reports, isAll: entries.length < maximumReports };
}
