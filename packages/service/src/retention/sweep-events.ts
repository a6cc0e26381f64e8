import { listOldestLogged } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { toRecordMutations } from "../rows/record-change.ts";
import { parseRecordRow } from "../rows/record-row.ts";

interface SweepEventsOptions {
  readonly store: Store;
  readonly accountId: string;
  /** Events that were published before this time are removed, in milliseconds since the epoch. */
  readonly publishedBefore: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
}

/** Rows of events that are removed together. Each has at most 256 KiB. */
const batchSize = 50;
/** The clocks of processes differ a little. */
const marginMs = 60 * 60 * 1_000;

/** Removes events with an id that are too old, and that no delivery of the log shows. Their ids are then unknown again. */
export async function sweepEvents({
  store,
  accountId,
  publishedBefore,
  now,
  pause,
}: SweepEventsOptions): Promise<void> {
  const prefix = keys.eventsWithId(accountId);
  const [oldest] = await listOldestLogged(store, accountId, { limit: 1 });
  if (oldest !== undefined && "error" in oldest) throw oldest.error;
  const neededSince = (oldest?.delivery.created_at ?? now) - marginMs;
  const before = [...prefix, Math.ceil(Math.min(publishedBefore, neededSince))] as const;
  for (;;) {
    const entries = await store.list({ prefix, before, limit: batchSize });
    if (entries.length === 0) return;
    const names = entries.map(({ key }) => ({ kind: String(key.at(-2)), recordId: String(key.at(-1)) }));
    const places = names.map(({ kind, recordId }) => keys.record(accountId, kind, recordId));
    const texts = await store.getMany(places);
    const mutations = names.flatMap((name, index) => {
      const text = texts[index];
      if (text === undefined) return [];
      const change = { accountId, ...name, before: parseRecordRow(text), after: undefined };
      return toRecordMutations({ ...change, isVersionReferenced: false, arrival: 0, now });
    });
    const { ok } = await store.commit(partitionOf(accountId), {
      checks: places.map((key, index) => ({ key, value: texts[index] })),
      mutations: [...mutations, ...entries.map(({ key }) => ({ type: "delete" as const, key }))],
    });
    // One of them was sent again just now. The next sweep removes it.
    if (!ok || entries.length < batchSize) return;
    await pause();
  }
}
