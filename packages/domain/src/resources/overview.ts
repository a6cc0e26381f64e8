import type { ConsoleWebhook } from "./webhook.ts";

/** The periods of the overview, and their steps in seconds. */
export const overviewPeriods = {
  "1h": { stepSeconds: 60, steps: 60 },
  "24h": { stepSeconds: 900, steps: 96 },
  "7d": { stepSeconds: 3_600, steps: 168 },
  "30d": { stepSeconds: 21_600, steps: 120 },
} as const;
export type OverviewPeriod = keyof typeof overviewPeriods;

/** Durations of attempts in milliseconds, at most 30 % too high. Null without an attempt. */
interface Durations {
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

interface Ended {
  readonly delivered: number;
  /** After their last attempt. */
  readonly failed: number;
}

/** What ended in one bucket, which begins at `at`. */
interface OverviewBucket extends Ended, Durations {
  readonly at: string;
  readonly cancelled: number;
  /** Attempts that ended. */
  readonly attempts: number;
}

/** Something that the owner should look at. */
export interface Attention {
  /**
   * `webhook_failing`: more than 20 % of at least ten attempts in the last hour failed. `rotation_waiting`: a new signing secret waits
   * for more than 24 hours.
   */
  readonly kind: "webhook_switched_off" | "webhook_failing" | "webhook_paused" | "rotation_waiting";
  readonly webhook_id: string;
  /** What is wrong and what to do, in sentences. */
  readonly message: string;
  /** Null: unknown. */
  readonly since: string | null;
}

/** What happened to the deliveries of an account, or of one webhook. Resends are counted, tests are not. */
export interface Overview {
  readonly period: OverviewPeriod;
  /** The length of a bucket. */
  readonly step_seconds: number;
  /** All buckets, oldest first. The last one is not over. */
  readonly series: readonly OverviewBucket[];
  readonly totals: Ended &
    Durations & {
      readonly cancelled: number;
      /** Those that are pending now, counted up to 10,000. */
      readonly pending: number;
      /** Delivered ÷ (delivered or failed), 0 to 1. Null if there were none. */
      readonly success_rate: number | null;
    };
  /** By kind. Empty if all is well. */
  readonly attention: readonly Attention[];
}

/** The last 24 hours of one webhook. */
export interface WebhookHealth extends Pick<Overview["totals"], "success_rate" | "p95_ms"> {
  /** 24 hours, oldest first. The last one is not over. */
  readonly strip: readonly (Ended & { readonly at: string })[];
}

/** A webhook in the list of the console, with `health` if it was asked for. */
export interface ListedConsoleWebhook extends ConsoleWebhook {
  readonly health?: WebhookHealth | undefined;
}
