import type { Check, Store } from "@hookwright/storage";
import { parseDeliveryRow } from "../storage/delivery-codec.ts";
import { keys } from "../storage/keys.ts";
import { queueKeyOf } from "./transitions.ts";
import type { Result } from "./transitions.ts";

/**
 * The outcome of a commit that ended with an error.
 *
 * - `recorded`: it happened.
 * - `superseded`: another worker has taken over and recorded an attempt of its own.
 * - `open`: it has not happened yet, and still may. `check` holds until it does.
 */
export type CommitOutcome =
  | { readonly type: "recorded" }
  | { readonly type: "superseded" }
  | { readonly type: "open"; readonly check: Check };

/**
 * Finds out whether a batch was recorded. A batch is recorded as a whole, and only the lease holder removes the queue entry of a delivery
 * that it attempts, so one delivery of the batch is enough. `endDelivery` ends only deliveries that no worker attempts.
 */
export async function findCommitOutcome(
  store: Store,
  { batch, fence }: { readonly batch: readonly Result[]; readonly fence: Check },
): Promise<CommitOutcome> {
  const sample = batch.find(({ outcome }) => outcome.type === "attempted") ?? batch[0];
  if (sample === undefined) return { type: "recorded" };
  const { address, delivery, outcome } = sample;
  const queueKey = queueKeyOf(sample);
  const [queued, lease, text] = await store.getMany([
    queueKey,
    fence.key,
    keys.delivery(address.accountId, delivery.id),
  ]);
  if (queued !== undefined) return { type: "open", check: { key: queueKey, value: queued } };
  // We still hold the lease, so no other worker has removed the entry.
  if (lease === fence.value) return { type: "recorded" };
  const attempts = text === undefined ? [] : parseDeliveryRow(text).attempts;
  const isOurs = attempts.some(
    (one) =>
      outcome.type === "attempted" &&
      one.started_at === outcome.attempt.started_at &&
      one.signature === outcome.attempt.signature,
  );
  return { type: isOurs ? "recorded" : "superseded" };
}
