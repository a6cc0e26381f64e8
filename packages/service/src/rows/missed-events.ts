import type { Key, KeyPart, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "./keys.ts";

/** Time, arrival and id of a record, and perhaps the event: the last parts of the key of a missed event. */
export type MissedPosition = readonly KeyPart[];

/** An event that was published while its webhook sent nothing. */
export interface MissedEvent {
  readonly webhookId: string;
  /** When it was published, in milliseconds since the epoch. */
  readonly publishedAt: number;
  readonly recordArrival: number;
  readonly recordId: string;
  /** Absent: that of the webhook's key. */
  readonly event?: string | undefined;
}

/** Records an event that a webhook misses because it is paused or switched off. It belongs in the commit of the record. */
export function toMissedMutation(accountId: string, missed: MissedEvent): Mutation {
  return { type: "set", key: missedKeyOf(accountId, missed), value: "" };
}

export function missedKeyOf(accountId: string, missed: MissedEvent): Key {
  const { webhookId, publishedAt, recordArrival, recordId, event } = missed;
  const key: Key = [...keys.missedEvents(accountId, webhookId), publishedAt, recordArrival, recordId];
  return event === undefined ? key : [...key, event];
}

export interface MissedQuery {
  readonly accountId: string;
  readonly webhookId: string;
  /** Milliseconds since the epoch, inclusive. */
  readonly since: number;
  /** Milliseconds since the epoch, exclusive. */
  readonly until: number;
  readonly after: MissedPosition | undefined;
  readonly limit: number;
}

/** A page of the events that a webhook missed, oldest first. */
export async function listMissed(
  store: Store,
  { accountId, webhookId, since, until, after, limit }: MissedQuery,
): Promise<{ readonly events: readonly MissedEvent[]; readonly next: MissedPosition | undefined }> {
  const prefix = keys.missedEvents(accountId, webhookId);
  const entries = await store.list({
    prefix,
    after: [...prefix, ...(after ?? [since])],
    before: [...prefix, until],
    limit,
  });
  const events = entries.map(({ key }): MissedEvent => {
    const [publishedAt, recordArrival, recordId, event] = key.slice(prefix.length);
    return {
      webhookId,
      publishedAt: Number(publishedAt),
      recordArrival: Number(recordArrival),
      recordId: String(recordId),
      ...(event !== undefined && { event: String(event) }),
    };
  });
  const last = entries.at(-1)?.key.slice(prefix.length);
  return { events, next: entries.length < limit ? undefined : last };
}

/** The events that a webhook missed since a time, counted up to a limit. */
export async function countMissed(
  store: Store,
  {
    accountId,
    webhookId,
    since,
    limit,
  }: Pick<MissedQuery, "accountId" | "webhookId" | "since"> & { readonly limit: number },
): Promise<number> {
  const prefix = keys.missedEvents(accountId, webhookId);
  let count = 0;
  const pages = listPages(store, { prefix, after: [...prefix, since], maximum: limit });
  for await (const page of pages) count += page.length;
  return count;
}
