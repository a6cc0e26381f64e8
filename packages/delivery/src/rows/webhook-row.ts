import type { EventName } from "@hookwright/domain";
import { createTextCache } from "./text-cache.ts";

/** A webhook as it is stored. Times are milliseconds; the secret and the counters have rows of their own. */
export interface WebhookRow {
  readonly id: string;
  readonly event: EventName;
  readonly target_url: string;
  readonly project_id: string | null;
  readonly status: "active" | "paused" | "switched_off";
  readonly created_at: number;
  readonly created_by: {
    readonly type: "key" | "console";
    readonly key_id: string | null;
    readonly name: string | null;
    /** Made by an automation platform's key: its secret is never rotated. */
    readonly integration: boolean;
  };
}

/** What the attempts of one webhook have come to. Written by the worker that leases the partition. */
export interface WebhookHealthRow {
  readonly consecutive_failures: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly last_warning_at: number | null;
}

export const unknownHealth: WebhookHealthRow = {
  consecutive_failures: 0,
  last_success_at: null,
  last_failure_at: null,
  last_warning_at: null,
};

export const parseWebhookRow = createTextCache((text): WebhookRow => JSON.parse(text));

export function parseWebhookHealth(text: string | undefined): WebhookHealthRow {
  return text === undefined ? unknownHealth : JSON.parse(text);
}
