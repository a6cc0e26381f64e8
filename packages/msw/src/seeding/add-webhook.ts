import { createWebhook } from "../rules/create-webhook.ts";
import type { SeedWebhook } from "../seed.ts";
import { changeWebhook } from "../state/change-webhook.ts";
import type { World } from "../state/world.ts";

/**
 * A second one for the same event and URL changes the one that is there, its secret too.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `webhook_limit_reached`
 */
export function addWebhook(world: World, { signing_secret: sentSecret, ...sent }: SeedWebhook): void {
  const signingSecret = sentSecret?.trim() ? sentSecret : undefined;
  const { row } = createWebhook(world, sent, { apiKey: undefined, signingSecret });
  if (signingSecret !== undefined) world.webhooks.set(row.id, { ...row, signingSecret });
  changeWebhook(world, row.id, sent);
}
