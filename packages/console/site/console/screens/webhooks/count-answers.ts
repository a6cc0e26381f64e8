import type { Delivery } from "@hookwright/domain";

export interface AnswerCount {
  readonly status: number | null;
  readonly error: Delivery["last_error"];
  readonly count: number;
}

/** How often each answer occurs, the most frequent first. Deliveries without an attempt do not count. */
export function countAnswers(deliveries: readonly Delivery[]): readonly AnswerCount[] {
  const counts = new Map<string, AnswerCount>();
  for (const { last_status: status, last_error: error } of deliveries) {
    if (status === null && error === null) continue;
    const key = status === null ? String(error) : String(status);
    counts.set(key, { status, error, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
}
