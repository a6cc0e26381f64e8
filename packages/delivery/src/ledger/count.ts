import type { Mutation } from "@hookwright/storage";
import type { DeliveryRow } from "../storage/delivery-row.ts";
import { keys } from "../storage/keys.ts";
import { fields, toAttemptField } from "./fields.ts";
import type { LedgerField } from "./fields.ts";
import { bucketOf } from "./histogram.ts";
import { minuteMs, openExpiryOf } from "./steps.ts";

/** One more for a field of the ledger. */
export interface LedgerEntry {
  readonly accountId: string;
  readonly webhookId: string;
  readonly projectId: string;
  readonly event: string;
  /** When the event was published, in milliseconds. */
  readonly at: number;
  readonly field: LedgerField;
}

/** Counts a delivery of a published event. */
export function toQueuedEntry(accountId: string, delivery: DeliveryRow): LedgerEntry {
  return toEntry(accountId, delivery, fields.queued);
}

/** Counts an event that a webhook misses. */
export function toMissedEntry(place: Omit<LedgerEntry, "field">): LedgerEntry {
  return { ...place, field: fields.notSent };
}

/**
 * Counts the result of a delivery. Tests, resends and deliveries of missed events are not counted.
 *
 * @param delivery after the result
 */
export function toResultEntry(
  accountId: string,
  delivery: DeliveryRow,
  hasAttempt: boolean,
): LedgerEntry | undefined {
  if (delivery.kind !== "event" || delivery.missed_at !== undefined) return undefined;
  const attempt = hasAttempt ? delivery.attempts.at(-1) : undefined;
  if (attempt === undefined) return toEntry(accountId, delivery, fields.cancelled);
  const isRetry = delivery.attempts.length > 1;
  const counted = { outcome: delivery.status, isRetry, bucket: bucketOf(attempt.duration_ms) };
  return toEntry(accountId, delivery, toAttemptField(counted));
}

export function toEntry(accountId: string, delivery: DeliveryRow, field: LedgerField): LedgerEntry {
  const { webhook_id: webhookId, project_id: projectId, event, created_at: at } = delivery;
  return { accountId, webhookId, projectId, event, at, field };
}

interface Sum {
  readonly entry: LedgerEntry;
  readonly minute: number;
  amount: number;
}

/** The mutations of a commit that counts. It needs no check. */
export function toLedgerMutations(entries: readonly LedgerEntry[]): Mutation[] {
  const byWebhook = new Map<string, Sum[]>();
  for (const entry of entries) {
    const { webhookId, projectId, event, field, at } = entry;
    const minute = Math.floor(at / minuteMs);
    let sums = byWebhook.get(webhookId);
    if (sums === undefined) byWebhook.set(webhookId, (sums = []));
    const found = sums.find(
      ({ entry: other, minute: otherMinute }) =>
        otherMinute === minute &&
        other.field === field &&
        other.event === event &&
        other.projectId === projectId &&
        other.accountId === entry.accountId,
    );
    if (found === undefined) sums.push({ entry, minute, amount: 1 });
    else found.amount += 1;
  }
  return [...byWebhook.values()].flat().map(({ entry, minute, amount }) => ({
    type: "sum",
    key: keys.ledgerSum({ ...entry, minute }),
    amount,
    expiresAt: openExpiryOf(entry.at),
  }));
}
