import { readSigningSecrets } from "@hookwright/delivery";
import type { Key, KeyPart, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";

/** Time, arrival and id of a record: the last parts of the key of a missed event. */
export type MissedPosition = readonly KeyPart[];

/** An event that was published while its webhook sent nothing. */
export interface MissedEvent {
  readonly webhookId: string;
  /** When it was published, in milliseconds since the epoch. */
  readonly publishedAt: number;
  readonly recordArrival: number;
  readonly recordId: string;
}

/** Records an event that a webhook misses because it is paused or switched off. It belongs in the commit of the record. */
export function toMissedMutation(accountId: string, missed: MissedEvent): Mutation {
  return { type: "set", key: missedKeyOf(accountId, missed), value: "" };
}

export function missedKeyOf(accountId: string, missed: MissedEvent): Key {
  const { webhookId, publishedAt, recordArrival, recordId } = missed;
  return [...keys.missedEvents(accountId, webhookId), publishedAt, recordArrival, recordId];
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
    const [publishedAt, recordArrival, recordId] = key.slice(prefix.length);
    return {
      webhookId,
      publishedAt: Number(publishedAt),
      recordArrival: Number(recordArrival),
      recordId: String(recordId),
    };
  });
  const last = entries.at(-1)?.key.slice(prefix.length);
  return { events, next: entries.length < limit ? undefined : last };
}

/** Entries removed at once. */
const batchSize = 500;

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

export interface SweepMissedOptions {
  readonly store: Store;
  readonly accountId: string;
  /** Events that were published before this time are removed, in milliseconds since the epoch. */
  readonly publishedBefore: number;
  /** The missed events kept for each webhook. The oldest ones above it are removed. @default 100,000 */
  readonly maximumKept?: number | undefined;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
}

/** Removes missed events that are too old or too many, and those of removed webhooks. */
export async function sweepMissedEvents(options: SweepMissedOptions): Promise<void> {
  const { store, accountId, publishedBefore, maximumKept = 100_000, pause } = options;
  const all = keys.missedEventsOf(accountId);
  for await (const groups of listPages(store, { prefix: all, groupBy: 1 })) {
    for (const { key } of groups) {
      const webhookId = String(key[all.length]);
      const prefix = keys.missedEvents(accountId, webhookId);
      const [secret] = await readSigningSecrets(store, accountId, [webhookId]);
      let excess = (await countEntries(store, prefix, pause)) - (secret === undefined ? 0 : maximumKept);
      for (;;) {
        const entries = await store.list({ prefix, limit: batchSize });
        const removed = entries.filter(
          (entry, index) => index < excess || Number(entry.key[prefix.length]) < publishedBefore,
        );
        if (removed.length === 0) break;
        await store.commit(prefix[0], {
          mutations: removed.map((entry) => ({ type: "delete", key: entry.key })),
        });
        excess -= removed.length;
        if (removed.length < entries.length || entries.length < batchSize) break;
        await pause();
      }
    }
  }
}

async function countEntries(store: Store, prefix: Key, pause: () => Promise<void>): Promise<number> {
  let count = 0;
  for (let after: Key | undefined; ;) {
    const entries = await store.list({ prefix, after, limit: batchSize });
    count += entries.length;
    if (entries.length < batchSize) return count;
    after = entries.at(-1)?.key;
    await pause();
  }
}
