import { eventsOf } from "../storage/codec.ts";
import type { AttemptRow, RemovedWebhookRow } from "../storage/codec.ts";

/** A mail to the owner of the account. */
export interface WebhookNotice {
  /** `gone`: it was removed because of a 410. */
  readonly type: "failing" | "switched_off" | "gone";
  readonly accountId: string;
  readonly webhookId: string;
  readonly events: readonly string[];
  readonly targetUrl: string;
  readonly consecutiveFailures: number;
  /** Why the last of them failed, in sentences: `The endpoint answered 500.` */
  readonly lastFailure: string;
}

/** What a result changed for its webhook. `recovered`: the first acceptance after a mail about failures. */
export interface WebhookChange extends Pick<WebhookNotice, "accountId" | "webhookId"> {
  readonly type: WebhookNotice["type"] | "recovered";
}

/** The mail about a webhook that was removed because an attempt was answered with 410. */
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
