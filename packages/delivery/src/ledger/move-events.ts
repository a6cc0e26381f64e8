import type { Check, Mutation, Store } from "@hookwright/storage";
import { addressOf } from "../enqueue.ts";
import { logKeyOf } from "../log/delivery-log.ts";
import { parseDeliveryRow, renderDeliveryRow, renderLogValue } from "../storage/codec.ts";
import type { DeliveryRow } from "../storage/codec.ts";
import { keys } from "../storage/keys.ts";
import { toEntry } from "./count.ts";
import type { LedgerEntry } from "./count.ts";
import { openExpiryOf } from "./steps.ts";

/** A delivery after its result. */
export interface Ended {
  readonly accountId: string;
  readonly delivery: DeliveryRow;
}

/** What a commit of results also changes, because a resend was accepted. */
export interface Moves {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  readonly counted: readonly LedgerEntry[];
}

/** The first delivery of an event, as the store has it or as this commit leaves it. */
interface Root {
  row: DeliveryRow | undefined;
  /** Its text in the store. `undefined`: this commit changes it. */
  text: string | undefined;
  isSettled: boolean;
}

const nothing: Moves = { checks: [], mutations: [], counted: [] };
const movedFrom = { failed: "mf", cancelled: "mc" } as const;

/**
 * The first resend of an event that is accepted moves the event to `delivered`. If the first delivery is still pending, a row keeps this
 * until it ends. A delivery of a missed event moves the event too. It is not counted itself, as a resend.
 *
 * Only the holder of the lease writes these rows, so a commit under its fence needs no check of them.
 *
 * @param results in the order in which they ended
 */
export async function moveEvents(store: Store, results: readonly Ended[]): Promise<Moves> {
  const concerned = results.filter(({ delivery }) => mayMove(delivery));
  if (concerned.length === 0) return nothing;
  const texts = await store.getMany(
    concerned.flatMap(({ accountId, delivery }) => {
      const id = rootOf(delivery);
      return [
        keys.delivery(accountId, id),
        keys.newDelivery(addressOf(accountId, delivery), id),
        keys.settledEvent(accountId, id),
      ];
    }),
  );
  const roots = new Map<string, Root>();
  concerned.forEach(({ delivery }, index) => {
    const [logged, queued, settled] = texts.slice(index * 3);
    const text = logged ?? queued;
    const row = text === undefined ? undefined : parseDeliveryRow(text);
    const isSettled = settled !== undefined || row?.accepted_later === true;
    roots.set(rootOf(delivery), { row, text, isSettled });
  });
  const checks: Check[] = [];
  const mutations: Mutation[] = [];
  const counted: LedgerEntry[] = [];
  for (const { accountId, delivery } of results) {
    const root = roots.get(rootOf(delivery));
    if (root === undefined) continue;
    const isFirst = rootOf(delivery) === delivery.id;
    if (isFirst) Object.assign(root, { row: delivery, text: undefined });
    const { row, text } = root;
    const isNew = !root.isSettled && isAccepted(delivery) && (isFirst || row?.status !== "delivered");
    // Without its row, nothing is known about the event any more.
    if (row === undefined || (!isNew && !(root.isSettled && isFirst))) continue;
    root.isSettled = true;
    const { status } = row;
    const ended = status === "failed" || status === "cancelled" ? status : undefined;
    if (row.missed_at === undefined && ended !== undefined)
      counted.push(toEntry(accountId, row, movedFrom[ended]));
    else if (isNew && row.missed_at !== undefined)
      counted.push(toEntry(accountId, { ...row, created_at: row.missed_at }, "mn"));
    if (ended !== undefined) {
      const moved: DeliveryRow = { ...row, accepted_later: true };
      const value = renderDeliveryRow(moved);
      if (text !== undefined) checks.push({ key: keys.delivery(accountId, row.id), value: text });
      mutations.push(
        { type: "set", key: keys.delivery(accountId, row.id), value },
        { type: "set", key: logKeyOf(accountId, moved), value: renderLogValue(moved, value) },
      );
    } else if (status === "pending") {
      const key = keys.settledEvent(accountId, row.id);
      mutations.push({ type: "set", key, value: "", expiresAt: openExpiryOf(row.created_at) });
    }
  }
  return { checks, mutations, counted };
}

/** The id of the first delivery of the event. Earlier versions stored only the delivery that was sent again. */
function rootOf({ id, root, resent_from }: DeliveryRow): string {
  return root ?? resent_from ?? id;
}

/** Whether the result of a resend, or of a delivery of a missed event, moves the event. */
function isAccepted({ kind, status, missed_at }: DeliveryRow): boolean {
  return status === "delivered" && (kind === "resend" || missed_at !== undefined);
}

function mayMove(delivery: DeliveryRow): boolean {
  const { kind, status } = delivery;
  return isAccepted(delivery) || (kind === "event" && (status === "failed" || status === "cancelled"));
}
