import { replaceRow, resetFailures } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { HookwrightError, moveWebhook } from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext, AuditedChange } from "../audit/commit-audited.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { expectPresentWebhook } from "../lookups/find-webhooks.ts";
import { readConsoleWebhook } from "./read-console-webhooks.ts";

/** What an owner does to a webhook in the console. */
type OwnerInput = keyof typeof actions;

const actions = {
  pause: "webhook.paused",
  resume: "webhook.resumed",
  turn_on: "webhook.turned_on",
} as const;

/**
 * Pauses, resumes or turns on. Events that happen while a webhook is paused or switched off are sent only by a recovery, and the worker cancels
 * retries that become due then. Turning on resets the failures in a row and ends the back-off, resuming does not (contract §5).
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`
 */
export async function changeWebhook(
  context: AuditContext & Pick<ServiceContext, "worker">,
  accountId: string,
  webhookId: string,
  input: OwnerInput,
  origin?: ChangeOrigin,
): Promise<ConsoleWebhook> {
  const { store, worker, now } = context;
  const audited: AuditedChange = {
    action: actions[input],
    accountId,
    target: { kind: "webhook", id: webhookId },
  };
  const changed = await commitAudited(context, partitionOf(accountId), origin, async () => {
    const webhook = await expectPresentWebhook(store, accountId, webhookId);
    const moved = moveWebhook(webhook.row.status, input);
    if (!moved.ok || moved.state === "removed")
      throw new HookwrightError("invalid_state", moved.ok ? "" : moved.reason);
    const after: WebhookRow = { ...webhook.row, status: moved.state, status_changed_at: now() };
    const change = replaceRow(webhook, after);
    if (input !== "turn_on") return { commit: change, result: after, audited };
    // Every recorded result changes the counters. So only this change checks them.
    const reset = await resetFailures(store, { accountId, event: after.event, webhookId });
    const commit = {
      checks: [...change.checks, ...reset.checks],
      mutations: [...change.mutations, ...reset.mutations],
      notify: reset.notify,
    };
    return { commit, result: after, audited };
  });
  if (input === "turn_on") worker.webhookChanged({ accountId, event: changed.event, webhookId });
  return readConsoleWebhook(store, accountId, changed);
}
