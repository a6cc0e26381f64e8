import type { Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";
import type { LaneAddress } from "./keys.ts";

/**
 * What a webhook leaves behind when it goes: nothing but its deliveries in the log. The scheduler cancels the pending
 * ones in small windows, since there may be a million. The caller checks that the guard is still `guard`.
 */
export function toWebhookRemoval(
  { accountId, event, webhookId }: LaneAddress,
  guard: string | undefined,
): Mutation[] {
  return [
    { type: "delete", key: keys.webhook(accountId, event, webhookId) },
    { type: "delete", key: keys.signingSecret(accountId, webhookId) },
    { type: "delete", key: keys.webhookHealth(accountId, webhookId) },
    { type: "set", key: keys.webhookGuard(accountId), value: nextGuard(guard) },
  ];
}

/** The guard is a plain counter: any change will do. */
export function nextGuard(guard: string | undefined): string {
  return String(Number(guard ?? "0") + 1);
}
