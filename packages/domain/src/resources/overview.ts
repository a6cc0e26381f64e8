import type { Issue } from "./issue.ts";
import type { Ledger, LedgerNumbers } from "./ledger.ts";
import type { ConsoleWebhook } from "./webhook.ts";

/** The periods of the overview, and their steps in seconds. */
export const overviewPeriods = {
  "1h": { stepSeconds: 60, steps: 60 },
  "24h": { stepSeconds: 900, steps: 96 },
  "7d": { stepSeconds: 3_600, steps: 168 },
  "30d": { stepSeconds: 21_600, steps: 120 },
} as const;
export type OverviewPeriod = keyof typeof overviewPeriods;

/** In the order in which they are listed. */
export const attentionKinds = [
  "webhook_gone",
  "webhook_switched_off",
  "webhook_failing",
  "webhook_paused",
  "rotation_waiting",
] as const;

/** Something that the owner should look at. */
export interface Attention {
  /**
   * `webhook_gone`: its endpoint answered 410 in the last 24 hours, so it was removed. `webhook_failing`: the last six attempts failed, or of the events that were published in the last hour, more than 20 % of at least
   * ten attempts. `rotation_waiting`: a new signing secret waits for more than 24 hours.
   */
  readonly kind: (typeof attentionKinds)[number];
  readonly webhook_id: string;
  /** What is wrong and what to do, in sentences. */
  readonly message: string;
  /** Null: unknown. */
  readonly since: string | null;
  /** The newest failure of the webhook in the last 31 days. Null: none. */
  readonly last_answer: Pick<Issue, "http_status" | "error" | "response"> | null;
  /** All of its failures of the last hour are acknowledged or ignored. */
  readonly is_known: boolean;
  /** Somebody has put it off until then. Null: nobody. */
  readonly snoozed_until: string | null;
}

/** What became of the events of an account, or of a part of it. */
export interface Overview extends Ledger {
  readonly period: OverviewPeriod;
  readonly series: readonly (Ledger["series"][number] & {
    /** All attempts. */
    readonly attempts: number;
  })[];
  readonly totals: LedgerNumbers & {
    /** Delivered ÷ (due − pending), 0 to 1. Null if that is 0. */
    readonly success_rate: number | null;
  };
  /** By kind. Empty if all is well. */
  readonly attention: readonly Attention[];
}

/** The last 24 hours of one webhook. */
export interface WebhookHealth extends Pick<
  Overview["totals"],
  "success_rate" | "first_try_rate" | "p95_ms"
> {
  /** 24 hours, oldest first. The last one is not over. */
  readonly strip: readonly Pick<
    Ledger["series"][number],
    "at" | "due" | "delivered" | "pending" | "failed" | "cancelled" | "not_sent"
  >[];
}

/** A webhook in the list of the console, with `health` if it was asked for. */
export interface ListedConsoleWebhook extends ConsoleWebhook {
  readonly health?: WebhookHealth | undefined;
}
