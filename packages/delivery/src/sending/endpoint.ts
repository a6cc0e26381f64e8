import type { EndpointLimits } from "./endpoint-limits.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import { parseWebhookHealth, rateOf } from "../storage/webhook-row.ts";
import type { WebhookRow } from "../storage/webhook-row.ts";
import type { EndpointAddress } from "../storage/keys.ts";

/** The rows of a webhook as this worker knows them. `undefined`: there is no such row. */
export interface WebhookTexts {
  readonly webhook: string | undefined;
  readonly health: string | undefined;
  /** Only those of a failing webhook are read. Absent: not read yet. */
  readonly issues?: { readonly text: string | undefined };
  /** Read with the issues. */
  readonly failed?: { readonly text: string | undefined };
}

/** One webhook whose deliveries this worker makes. */
export interface Endpoint {
  readonly address: EndpointAddress;
  readonly partition: string;
  readonly queue: EndpointQueue;
  readonly limits: EndpointLimits;
  /** The number of its last turn in the round robin. */
  lastTurn: number;
  /** The recorded failures were read. */
  areLimitsRestored: boolean;
  /** As last read or written. Commits check them, so they may be out of date. */
  texts: WebhookTexts | undefined;
  /** Slots of the pool: attempts that are loaded or sent. */
  inFlight: number;
  /** Attempts that are sent. */
  sending: number;
  /** Results that wait to be recorded. */
  unrecorded: number;
  /** The store failed, or an attempt could not be made: nothing starts before this time. */
  pausedUntil: number;
  /** When its timer activates it. Infinity: it has none. */
  wakesAt: number;
  cancelWake: () => void;
  /** The partition is lost: another worker delivers to this endpoint. */
  isLost: boolean;
}

/** Continues from the recorded counters. Damaged ones are reported when a result is recorded. */
export function restoreLimits(endpoint: Endpoint, healthText: string | undefined, now: number): void {
  const { limits } = endpoint;
  endpoint.areLimitsRestored = true;
  try {
    const { consecutive_failures: failures, backoff_until: backoffUntil } = parseWebhookHealth(healthText);
    limits.restore(failures, backoffUntil ?? 0, now);
  } catch {
    limits.restore(0, 0, now);
  }
}

/** Applies the rate limit and the order of a webhook that is active. */
export function applyWebhook({ limits, queue }: Endpoint, webhook: WebhookRow, now: number): void {
  limits.setRate(rateOf(webhook), now);
  queue.setOrdered(webhook.ordered === true);
}

/** Nothing is sent any more, so what is due waits for nothing, and is cancelled. */
export function releaseEndpoint(endpoint: Endpoint): void {
  endpoint.limits.release();
  endpoint.queue.setOrdered(false);
  // When the webhook is active again, its failures are read again.
  endpoint.areLimitsRestored = false;
}
