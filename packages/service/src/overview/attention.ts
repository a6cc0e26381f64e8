import { readLedger, readSigningSecrets, sumPoints } from "@hookwright/delivery";
import type { LedgerPoint, WebhookRow } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { Attention } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { lastSteps } from "./last-steps.ts";

const fewestAttempts = 10;
const failingAboveShare = 0.2;
const rotationWaitsMs = 24 * 3_600_000;

/** The kinds in the order in which they are listed. */
const order: readonly Attention["kind"][] = [
  "webhook_switched_off",
  "webhook_failing",
  "webhook_paused",
  "rotation_waiting",
];

/** Finds the webhooks that their owner should look at. */
export async function findAttention(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  webhooks: readonly WebhookRow[],
): Promise<Attention[]> {
  const active = webhooks.filter(({ status }) => status === "active");
  const [secrets, lastHour] = await Promise.all([
    readSigningSecrets(
      store,
      accountId,
      webhooks.map(({ id }) => id),
    ),
    readLedger(store, {
      accountId,
      webhookIds: active.map(({ id }) => id),
      ...lastSteps({ stepSeconds: 60, steps: 60 }, now()),
    }),
  ]);
  const found = webhooks.flatMap((webhook, index) => [
    describeStatus(webhook),
    webhook.status === "active" ? describeFailures(webhook, lastHour.byWebhook.get(webhook.id) ?? []) : [],
    describeRotation(webhook, secrets[index]?.row.pending_since, now()),
  ]);
  return found.flat().toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

function describeStatus(webhook: WebhookRow): Attention | [] {
  const { id, status, status_changed_at: changedAt = null } = webhook;
  if (status === "active") return [];
  return {
    kind: status === "paused" ? "webhook_paused" : "webhook_switched_off",
    webhook_id: id,
    message: messages[status](webhook.disabled?.reason),
    since: toTimestampOrNull(changedAt),
  };
}

const messages = {
  paused: () => "The webhook is paused. Its events are not sent. Resume it to send again.",
  switched_off: () =>
    "The webhook was disabled after 30 failed attempts in a row. Turn it on when its endpoint works.",
  disabled_by_host: (reason = "") => `Disabled by the operator: ${reason}`,
} as const;

function describeFailures(webhook: WebhookRow, points: readonly LedgerPoint[]): Attention | [] {
  const { attempts, failedAttempts } = sumPoints(points);
  if (attempts < fewestAttempts || failedAttempts / attempts <= failingAboveShare) return [];
  const first = points.find(({ counts }) => counts.failedAttempts > 0);
  return {
    kind: "webhook_failing",
    webhook_id: webhook.id,
    message: `${failedAttempts} of ${attempts} attempts for events of the last hour were not accepted. Check the endpoint.`,
    since: toTimestampOrNull(first?.at ?? null),
  };
}

function describeRotation(webhook: WebhookRow, since: number | undefined, now: number): Attention | [] {
  if (since === undefined || now - since <= rotationWaitsMs) return [];
  return {
    kind: "rotation_waiting",
    webhook_id: webhook.id,
    message:
      "A new signing secret has waited for more than 24 hours. The webhook still uses the old one. Finish the rotation or cancel it.",
    since: toTimestamp(since),
  };
}
