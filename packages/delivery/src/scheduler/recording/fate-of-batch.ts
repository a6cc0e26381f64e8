import type { Check, Store } from "@hookwright/storage";
import { parseDeliveryRow } from "../../rows/delivery-row.ts";
import { keys } from "../../rows/keys.ts";
import { queueKeyOf } from "../turns/finished.ts";
import type { Finished } from "../turns/finished.ts";

/**
 * What became of a batch whose commit failed with an error. `recorded`: it happened all the same. `superseded`: another worker
 * has taken over, and what it recorded is another attempt. `open`: it has not happened yet, and may still do so; `check` holds
 * until then.
 */
export type BatchFate =
  | { readonly type: "recorded" }
  | { readonly type: "superseded" }
  | { readonly type: "open"; readonly check: Check };

/**
 * A batch is recorded as a whole, and only the holder of the lease takes entries out of a queue: one of its deliveries tells.
 *
 * @param lease the fence under which the batch was begun
 */
export async function fateOfBatch(
  store: Store,
  { batch, lease }: { readonly batch: readonly Finished[]; readonly lease: Check },
): Promise<BatchFate> {
  const telling = batch.find(({ outcome }) => outcome.type === "attempted") ?? batch[0];
  // Of nothing, nothing is left to be done.
  if (telling === undefined) return { type: "recorded" };
  const { lane, delivery, outcome } = telling;
  const queueKey = queueKeyOf(telling);
  const [queued, holder, text] = await store.getMany([
    queueKey,
    lease.key,
    keys.delivery(lane.accountId, delivery.id),
  ]);
  if (queued !== undefined) return { type: "open", check: { key: queueKey, value: queued } };
  // Still this worker's: nobody else has taken it out, though the log may have been swept since.
  if (holder === lease.value) return { type: "recorded" };
  const attempts = text === undefined ? [] : parseDeliveryRow(text).attempts;
  const isOurs = attempts.some(
    (one) =>
      outcome.type === "attempted" &&
      one.started_at === outcome.attempt.started_at &&
      one.signature === outcome.attempt.signature,
  );
  return { type: isOurs ? "recorded" : "superseded" };
}
