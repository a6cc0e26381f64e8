import type { Check, Mutation, Store } from "@hookwright/storage";
import { addressOf } from "../enqueue.ts";
import { logKeyOf } from "../log/delivery-log.ts";
import { parseDeliveryRow, renderDeliveryRow } from "../storage/delivery-codec.ts";
import { renderLogValue } from "../storage/log-value.ts";
import type { DeliveryRow } from "../storage/delivery-row.ts";
import { keys } from "../storage/keys.ts";
import { toEntry } from "./count.ts";
import type { LedgerEntry } from "./count.ts";
import { fields } from "./fields.ts";
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
const movedFrom = { failed: fields.failedMoved, cancelled: fields.cancelledMoved } as const;

/**
 * The first resend of an event that is accepted moves the event to `delivered`. If the first delivery is still pending, a row keeps this
 * until it ends. A delivery of a missed event moves the event too. It is not counted itself, as a resend.
 *
 * Only the holder of the lease writes these rows, so a commit under its fence needs no check of them.
 *
 * @param results in the order in which they ended
 * @param onUnreadable gets a first delivery that is damaged, or of a later version. Its event is not moved.
 */
export async function moveEvents(
  store: Store,
  results: readonly Ended[],
  onUnreadable: (error: unknown, first: { readonly accountId: string; readonly id: string }) => void,
): Promise<Moves> {
  const concerned = results.filter(({ delivery }) => mayMove(delivery));
  if (concerned.length === 0) return nothing;
  const wanted = concerned.map(({ accountId, delivery }) => {
    const id = rootOf(delivery);
    const settled = keys.settledEvent(accountId, id);
    // The row of an event that ended now is in the results.
    if (id === delivery.id) return [settled];
    return [settled, keys.delivery(accountId, id), keys.newDelivery(addressOf(accountId, delivery), id)];
  });
  const texts = (await store.getMany(wanted.flat())).values();
  const roots = new Map<string, Root>();
  concerned.forEach(({ accountId, delivery }, index) => {
    const id = rootOf(delivery);
    const [settled, logged, queued] = (wanted[index] ?? []).map(() => texts.next().value);
    const text = logged ?? queued;
    const known = roots.get(id);
    const row =
      text === undefined ? known?.row : readRoot(text, id, (error) => onUnreadable(error, { accountId, id }));
    const isSettled = settled !== undefined || row?.accepted_later === true;
    roots.set(id, { row, text: text ?? known?.text, isSettled });
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
      counted.push(toEntry(accountId, { ...row, created_at: row.missed_at }, fields.notSentMoved));
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

/** `undefined`: the row cannot be read. */
function readRoot(text: string, id: string, onUnreadable: (error: unknown) => void): DeliveryRow | undefined {
  try {
    const row = parseDeliveryRow(text);
    if (row.id === id && Number.isSafeInteger(row.created_at)) return row;
    throw new Error("it is not a delivery of this version");
  } catch (cause) {
    onUnreadable(
      new Error(`delivery ${id} cannot be read, so its event is not counted as delivered`, { cause }),
    );
    return undefined;
  }
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
