import { keys, parseWebhookHealth } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { HookwrightError, moveWebhook } from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { Check, Mutation, Store } from "@hookwright/storage";
import { partitionOf } from "@hookwright/storage";
import { expectWebhookRow } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { readConsoleWebhook } from "./read-console-webhooks.ts";

/** What an owner does to a webhook in the console. */
type OwnerInput = "pause" | "resume" | "turn_on";

/**
 * Pauses, resumes or turns on. What happens while a webhook is paused or off is never sent, and a retry that falls due then
 * is cancelled by the worker. Resuming keeps the row of failures, turning on ends it (contract §5).
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`
 */
export async function changeWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
  input: OwnerInput,
): Promise<ConsoleWebhook> {
  const changed = await commitUntilDone(store, partitionOf(accountId), async () => {
    const { event } = await expectWebhookRow(store, accountId, webhookId);
    const key = keys.webhook(accountId, event, webhookId);
    const healthKey = keys.webhookHealth(accountId, webhookId);
    const [stored, storedHealth] = await store.getMany([key, healthKey]);
    if (stored === undefined) throw noSuch("webhook");
    const row: WebhookRow = JSON.parse(stored);
    const moved = moveWebhook(row.status, input);
    if (!moved.ok || moved.state === "removed")
      throw new HookwrightError("invalid_state", moved.ok ? "" : moved.reason);
    const after: WebhookRow = { ...row, status: moved.state };
    const checks: Check[] = [{ key, value: stored }];
    const mutations: Mutation[] = [{ type: "set", key, value: JSON.stringify(after) }];
    // Each delivery that is recorded changes the counters: what leaves them alone need not come between two of those.
    if (input === "turn_on") {
      const health = { ...parseWebhookHealth(storedHealth), consecutive_failures: 0 };
      checks.push({ key: healthKey, value: storedHealth });
      mutations.push({ type: "set", key: healthKey, value: JSON.stringify(health) });
    }
    return { commit: { checks, mutations }, result: after };
  });
  return readConsoleWebhook(store, accountId, changed);
}
