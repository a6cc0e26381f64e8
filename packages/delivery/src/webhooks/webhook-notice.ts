import { eventsOf } from "../storage/webhook-row.ts";
import type { AttemptRow } from "../storage/delivery-row.ts";
import type { RemovedWebhookRow } from "../storage/webhook-row.ts";

/** What happened to a webhook by itself, for its owner and for the host. */
export interface WebhookNotice {
  /** `gone`: it was removed because of a 410. `recovered`: the first acceptance after a notice about failures. */
  readonly type: "failing" | "switched_off" | "gone" | "recovered";
  readonly accountId: string;
  readonly webhookId: string;
  readonly events: readonly string[];
  readonly targetUrl: string;
  /** 0 after a recovery. */
  readonly consecutiveFailures: number;
  /** Why the last of them failed, in sentences: `The endpoint answered 500.` Null after a recovery. */
  readonly lastFailure: string | null;
}

/** The notice about a webhook that was removed because an attempt was answered with 410. */
export function toGoneNotice(accountId: string, row: RemovedWebhookRow, attempt: AttemptRow): WebhookNotice {
  return {
    type: "gone",
    accountId,
    webhookId: row.id,
    events: eventsOf(row),
    targetUrl: row.target_url,
    consecutiveFailures: row.consecutive_failures,
    lastFailure: describeFailure(attempt),
  };
}

/** Why an attempt failed, in sentences. A transport of the host's own may give no detail. */
export function describeFailure({ status, error, detail }: AttemptRow): string {
  return detail ?? (status === null ? String(error) : `The endpoint answered ${status}.`);
}
