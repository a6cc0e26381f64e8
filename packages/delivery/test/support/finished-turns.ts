import { createDelivery } from "../../src/outbox.ts";
import type { AttemptRow, DeliveryRow } from "../../src/rows/delivery-row.ts";
import type { Standing } from "../../src/scheduler/lanes/earned-room.ts";
import type { Finished } from "../../src/scheduler/turns/finished.ts";
import { accountId, event } from "./fake-world.ts";

export interface EndedAttempt extends Partial<
  Pick<AttemptRow, "duration_ms" | "status" | "error" | "detail">
> {
  readonly webhookId?: string;
  readonly kind?: DeliveryRow["kind"];
  readonly standing?: Standing;
}

/** Turns as they are when they have ended, each of a delivery of its own. */
export function createFinishedTurns({ now }: { readonly now: () => number }) {
  let made = 0;

  function end(
    outcome: Finished["outcome"],
    { webhookId = "wh_1", kind = "event", standing = "well" }: EndedAttempt,
  ): Finished {
    made += 1;
    const delivery = createDelivery({
      id: `dlv_${String(made).padStart(8, "0")}`,
      accountId,
      webhook: { id: webhookId, target_url: "https://example.com/hooks" },
      event,
      recordId: `ord_${made}`,
      recordArrival: 1,
      projectId: "site_1",
      kind,
      now: now(),
    });
    return {
      lane: { accountId, event, webhookId },
      place: { type: "fresh" },
      delivery,
      endedAt: now(),
      standing,
      outcome,
    };
  }

  function attempt(ended: EndedAttempt): Finished {
    const { duration_ms = 20, status = 200, error = null, detail = null } = ended;
    const row: AttemptRow = {
      number: 1,
      started_at: now() - duration_ms,
      duration_ms,
      request_form: 1,
      signature: "v1=00",
      body: "{}",
      status,
      headers: [],
      excerpt: "",
      error,
      detail,
      next_attempt_at: null,
    };
    return end({ type: "attempted", attempt: row }, ended);
  }

  return {
    accepted: (ended: EndedAttempt = {}) => attempt(ended),
    failed: (ended: EndedAttempt = {}) => attempt({ status: 500, error: "status", ...ended }),
    gone: (ended: EndedAttempt = {}) => attempt({ status: 410, error: "status", ...ended }),
    cancelled: (ended: EndedAttempt = {}) => end({ type: "cancelled", reason: "record_deleted" }, ended),
  };
}
