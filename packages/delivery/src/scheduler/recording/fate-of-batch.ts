import type { Store } from "@hookwright/storage";
import { parseDeliveryRow } from "../../rows/delivery-row.ts";
import { keys } from "../../rows/keys.ts";
import { queueKeyOf } from "../turns/finished.ts";
import type { Finished } from "../turns/finished.ts";

/**
 * What became of a batch whose commit failed with an error. `recorded`: it happened all the same. `open`: it did not.
 * `superseded`: another worker has taken over, and what it recorded is another attempt.
 */
export type BatchFate = "recorded" | "open" | "superseded";

/** A batch is recorded as a whole, and only the holder of the lease takes entries out of a queue: one of its deliveries tells. */
export async function fateOfBatch(store: Store, batch: readonly Finished[]): Promise<BatchFate> {
  const telling = batch.find(({ outcome }) => outcome.type === "attempted") ?? batch[0];
  if (telling === undefined) return "open";
  const { lane, delivery, outcome } = telling;
  const [queued, text] = await store.getMany([
    queueKeyOf(telling),
    keys.delivery(lane.accountId, delivery.id),
  ]);
  if (queued !== undefined) return "open";
  // Cancelled is cancelled, whoever did it.
  if (outcome.type !== "attempted") return "recorded";
  const attempts = text === undefined ? [] : parseDeliveryRow(text).attempts;
  const { started_at: startedAt, signature } = outcome.attempt;
  return attempts.some((one) => one.started_at === startedAt && one.signature === signature)
    ? "recorded"
    : "superseded";
}
