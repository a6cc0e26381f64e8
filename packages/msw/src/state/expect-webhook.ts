import { HookwrightError } from "@hookwright/domain";
import type { WebhookRow, World } from "./world.ts";

/** @throws HookwrightError `resource_not_found` */
export function expectWebhook({ webhooks }: World, id: string): WebhookRow {
  const row = webhooks.get(id);
  if (row !== undefined) return row;
  throw new HookwrightError("resource_not_found", "No such webhook on this account.");
}
