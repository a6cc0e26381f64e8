import type { LedgerOutcomes } from "./resources/ledger.ts";

/** The share of the events that is delivered, without those that are pending. From 0 to 1. Null: there are none. */
export function successRate({
  due,
  pending,
  delivered,
}: Pick<LedgerOutcomes, "due" | "pending" | "delivered">): number | null {
  return due === pending ? null : delivered / (due - pending);
}

/** How many events failed, were cancelled or were not sent. */
export function countNotDelivered({
  failed,
  cancelled,
  not_sent,
}: Pick<LedgerOutcomes, "failed" | "cancelled" | "not_sent">): number {
  return failed + cancelled + not_sent;
}
