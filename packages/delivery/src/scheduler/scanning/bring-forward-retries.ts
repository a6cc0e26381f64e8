import type { OnError } from "@hookwright/domain";
import { retryDelayMs } from "@hookwright/domain";
import type { Check, Entry, Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { parseDeliveryRow, renderDeliveryRow } from "../../rows/delivery-row.ts";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import { scanLanes } from "./scan-lanes.ts";
import { createBriskPace } from "./scan-pace.ts";

export interface BringForwardOptions {
  readonly store: Store;
  readonly partition: string;
  /** The lease under which this is done. */
  readonly fence: Check;
  readonly now: number;
  readonly retryDelaysSeconds: readonly number[];
  readonly random: () => number;
  /** Told of rows that cannot be read: their deliveries wait for a version that can. */
  readonly onFault: OnError;
}

const rowsAtOnce = 64;

/**
 * Retries that are due later than any delay from now were written under a wall clock that was set back since: a day, perhaps,
 * while no process ran, and so long they would wait. They are put where they would be had their last attempt ended now.
 */
export async function bringForwardRetries(options: BringForwardOptions): Promise<void> {
  const { store, partition, fence } = options;
  for await (const found of scanLanes({ store, partition, queue: "retry", pace: createBriskPace() })) {
    // The look that follows tells of it.
    if (found.unreadable !== undefined) continue;
    const { address } = found;
    const prefix = keys.retryLane(address);
    let after: Key = [...prefix, latestDueTime(options)];
    for (;;) {
      const entries = await store.list({ prefix, after, limit: rowsAtOnce });
      const end = entries.at(-1);
      if (end === undefined) break;
      after = end.key;
      const moves = await readMoves(address, entries, options);
      const done = await store.commit(partition, {
        checks: [fence, ...moves.map(({ check }) => check)],
        mutations: moves.flatMap(({ mutations }) => mutations),
      });
      // Somebody else has the partition by now, and looks for himself.
      if (!done.ok) return;
    }
  }
}

/** No delay that was begun by now ends later. */
function latestDueTime({ now, retryDelaysSeconds: delaysSeconds }: BringForwardOptions): number {
  const longest = delaysSeconds.map((_, index) =>
    retryDelayMs({ attemptsMade: index + 1, delaysSeconds, random: () => 1 }),
  );
  return now + Math.max(0, ...longest.filter((delayMs) => delayMs !== undefined));
}

interface Move {
  readonly check: Check;
  readonly mutations: readonly Mutation[];
}

async function readMoves(
  lane: LaneAddress,
  entries: readonly Entry[],
  { store, now, retryDelaysSeconds, random, onFault }: BringForwardOptions,
): Promise<Move[]> {
  const rowKeys = entries.map(({ key }) => keys.delivery(lane.accountId, String(key.at(-1))));
  const texts = await store.getMany(rowKeys);
  return entries.flatMap((entry, index) => {
    const [key, text] = [rowKeys[index], texts[index]];
    if (key === undefined || text === undefined) return [];
    const row = readRow({ lane, id: String(key.at(-1)), text, onFault });
    if (row === undefined) return [];
    const input = { attemptsMade: row.attempts.length, delaysSeconds: retryDelaysSeconds, random };
    // Without a delay left, because fewer are configured now, its last try is now.
    const dueAt = now + (retryDelayMs(input) ?? 0);
    return {
      check: { key, value: text },
      mutations: [
        { type: "delete", key: entry.key },
        { type: "set", key: keys.retry(lane, dueAt, row.id), value: entry.value },
        { type: "set", key, value: renderDeliveryRow(due(row, dueAt)) },
      ],
    };
  });
}

/** One that is damaged must not keep the whole partition from being looked into. */
function readRow({
  lane,
  id,
  text,
  onFault,
}: Pick<BringForwardOptions, "onFault"> & {
  readonly lane: LaneAddress;
  readonly id: string;
  readonly text: string;
}): DeliveryRow | undefined {
  try {
    return parseDeliveryRow(text);
  } catch (cause) {
    onFault(new Error(`delivery ${id} is to be tried again but cannot be read`, { cause }), {
      account_id: lane.accountId,
      webhook_id: lane.webhookId,
      delivery_id: id,
      code: "delivery_unreadable",
    });
    return undefined;
  }
}

function due(row: DeliveryRow, dueAt: number): DeliveryRow {
  const last = row.attempts.length - 1;
  const attempts = row.attempts.map((attempt, index) =>
    index === last ? { ...attempt, next_attempt_at: dueAt } : attempt,
  );
  return { ...row, attempts, next_attempt_at: dueAt };
}
