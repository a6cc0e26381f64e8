import { parseInput, webhookSchema } from "@hookwright/domain";
import type { WebhookChange } from "../seed.ts";
import { expectWebhook } from "./expect-webhook.ts";
import type { World } from "./world.ts";

/** @throws HookwrightError `resource_not_found`, `validation_failed` */
export function changeWebhook(world: World, id: string, change: WebhookChange): void {
  const row = expectWebhook(world, id);
  const { status, consecutive_failures, last_success_at, last_failure_at } = change;
  const given = Object.entries({ status, consecutive_failures, last_success_at, last_failure_at }).filter(
    ([, value]) => value !== undefined,
  );
  const value = parseInput(webhookSchema, { ...row.value, ...Object.fromEntries(given) });
  world.webhooks.set(id, { ...row, value });
}
