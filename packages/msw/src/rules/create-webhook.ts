import {
  HookwrightError,
  parseInput,
  parseTargetUrl,
  toTimestamp,
  webhookInputSchema,
  withoutEmpty,
} from "@hookwright/domain";
import type { Webhook } from "@hookwright/domain";
import { toRow } from "../state/world.ts";
import type { WebhookRow, World } from "../state/world.ts";

const maximumWebhooks = 50;

export interface WebhookCreation {
  /** The key of the request. `undefined`: the test itself. */
  readonly apiKey: string | undefined;
  /** @default a new one */
  readonly signingSecret?: string | undefined;
}

/**
 * Subscribes a URL to an event. The order of the checks is that of the contract (§5): missing fields, event,
 * URL, site, existing webhook, limit.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `webhook_limit_reached`
 */
export function createWebhook(
  world: World,
  body: unknown,
  { apiKey, signingSecret = `whsec_${world.toToken(32)}` }: WebhookCreation,
): { readonly row: WebhookRow; readonly created: boolean } {
  const input = parseInput(webhookInputSchema, withoutEmpty(body));
  const { event, target_url, project_id = null } = input;
  world.events.expect(event);
  const verdict = parseTargetUrl(target_url);
  if (!verdict.ok) throw new HookwrightError("invalid_target_url", `target_url: ${verdict.reason}`);
  const normalized = normalize(target_url);
  if (project_id !== null && !world.projects.has(project_id))
    throw new HookwrightError("invalid_project", "project_id: is not one of the account's sites");
  const existing = [...world.webhooks.values()].find(
    ({ value }) => value.event === event && normalize(value.target_url) === normalized,
  );
  if (existing !== undefined) return { row: existing, created: false };
  if (world.webhooks.size >= maximumWebhooks) {
    throw new HookwrightError(
      "webhook_limit_reached",
      `The account already has ${maximumWebhooks} webhooks. Remove one first.`,
    );
  }
  const webhook: Webhook = {
    id: world.newId("wh"),
    event,
    target_url,
    project_id,
    status: "active",
    consecutive_failures: 0,
    last_success_at: null,
    last_failure_at: null,
    created_at: toTimestamp(world.now()),
  };
  const row: WebhookRow = { ...toRow(world, webhook), signingSecret, apiKey };
  world.webhooks.set(row.id, row);
  return { row, created: true };
}

/** URLs that differ only in their fragment are the same endpoint: a fragment is not sent. */
function normalize(targetUrl: string): string {
  return new URL(targetUrl).href.replace(/#.*$/u, "");
}
