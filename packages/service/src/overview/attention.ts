import { readLedger, readSigningSecrets, readWebhookHealth, sumPoints } from "@hookwright/delivery";
import type { LedgerPoint, RemovedWebhookRow, WebhookHealthRow, WebhookRow } from "@hookwright/delivery";
import { attentionKinds, toTimestamp, warnAfterFailures } from "@hookwright/domain";
import type { Attention } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { readIssues } from "../issues/read-issues.ts";
import type { KnownIssue } from "../issues/read-issues.ts";
import { keys } from "../rows/keys.ts";
import { parseMarks } from "../rows/marks-row.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { lastSteps } from "./last-steps.ts";

const fewestAttempts = 10;
const failingAboveShare = 0.2;
const hourMs = 3_600_000;
const rotationWaitsMs = 24 * hourMs;
const goneShownMs = 24 * hourMs;

/** What is found out about a webhook. Other code adds its last answer, and whether somebody put it off. */
type Finding = Omit<Attention, "last_answer" | "is_known" | "snoozed_until">;

interface LookedAt {
  readonly webhooks: readonly WebhookRow[];
  readonly removed: readonly RemovedWebhookRow[];
}

/** Finds the webhooks that their owner should look at. */
export async function findAttention(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  { webhooks, removed }: LookedAt,
): Promise<Attention[]> {
  const active = webhooks.filter(({ status }) => status === "active");
  const ids = webhooks.map(({ id }) => id);
  const marks = parseMarks(await store.get(keys.marks(accountId)));
  const [secrets, healths, lastHour, issues] = await Promise.all([
    readSigningSecrets(store, accountId, ids),
    readWebhookHealth(store, accountId, ids),
    readLedger(store, {
      accountId,
      webhookIds: active.map(({ id }) => id),
      ...lastSteps({ stepSeconds: 60, steps: 60 }, now()),
    }),
    readIssues(store, accountId, marks),
  ]);
  const snoozedUntil = (finding: Finding): string | null => {
    const until = marks.snoozes[snoozeNameOf(finding)] ?? 0;
    return until > now() ? toTimestamp(until) : null;
  };
  const gone = removed.flatMap((webhook): Attention | [] => {
    const finding = describeGone(webhook, now());
    if (finding === undefined) return [];
    return { ...finding, last_answer: gone410, is_known: false, snoozed_until: snoozedUntil(finding) };
  });
  const byWebhook = Map.groupBy(issues, ({ webhookId }) => webhookId);
  const found = webhooks.flatMap((webhook, index) => {
    const { id } = webhook;
    const ofWebhook = byWebhook.get(id) ?? [];
    const recent = ofWebhook.filter(({ row }) => row.last_at > now() - hourMs);
    const points = lastHour.byWebhook.get(id) ?? [];
    const findings: Finding[] = [
      describeStatus(webhook),
      webhook.status === "active"
        ? describeFailures(webhook, points, { health: healths[index], recent })
        : [],
      describeRotation(webhook, secrets[index]?.row.pending_since, now()),
    ].flat();
    return findings.map((finding): Attention => ({
      ...finding,
      last_answer: finding.kind === "rotation_waiting" ? null : toAnswer(ofWebhook[0]),
      is_known:
        finding.kind === "webhook_failing" &&
        recent.length > 0 &&
        recent.every(({ status }) => status !== "open"),
      snoozed_until: snoozedUntil(finding),
    }));
  });
  return [...gone, ...found].toSorted(
    (one, other) => attentionKinds.indexOf(one.kind) - attentionKinds.indexOf(other.kind),
  );
}

/** The name of an alert in `MarksRow.snoozes`. */
export function snoozeNameOf({ kind, webhook_id }: Pick<Attention, "kind" | "webhook_id">): string {
  return `${kind} ${webhook_id}`;
}

function toAnswer(issue: KnownIssue | undefined): Attention["last_answer"] {
  if (issue === undefined) return null;
  const { status, error, line } = issue.row;
  return { http_status: status, error, response: line === "" ? null : line };
}

/** The issues of a removed webhook are removed too. */
const gone410 = { http_status: 410, error: "status", response: null } as const;

function describeGone({ id, reason, removed_at: at }: RemovedWebhookRow, now: number): Finding | undefined {
  if (reason !== "gone" || now - at >= goneShownMs) return undefined;
  return {
    kind: "webhook_gone",
    webhook_id: id,
    message:
      "The webhook was removed, because its endpoint answered 410. Create a new one if the endpoint shall get events again.",
    since: toTimestamp(at),
  };
}

function describeStatus(webhook: WebhookRow): Finding | [] {
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
    "The webhook was disabled after too many failed attempts in a row. Turn it on when its endpoint works.",
  disabled_by_host: (reason = "") => `Disabled by the operator: ${reason}`,
} as const;

function describeFailures(
  webhook: WebhookRow,
  points: readonly LedgerPoint[],
  {
    health,
    recent,
  }: { readonly health: WebhookHealthRow | undefined; readonly recent: readonly KnownIssue[] },
): Finding | [] {
  const { attempts, failedAttempts } = sumPoints(points);
  const inARow = health?.consecutive_failures ?? 0;
  const isFailing = attempts >= fewestAttempts && failedAttempts / attempts > failingAboveShare;
  if (!isFailing && inARow < warnAfterFailures) return [];
  const first = points.find(({ counts }) => counts.failedAttempts > 0);
  const since = recent.length === 0 ? first?.at : Math.min(...recent.map(({ row }) => row.since));
  return {
    kind: "webhook_failing",
    webhook_id: webhook.id,
    message: isFailing
      ? `${failedAttempts} of ${attempts} attempts for events of the last hour were not accepted. Check the endpoint.`
      : `The last ${inARow} attempts were not accepted. Check the endpoint.`,
    since: toTimestampOrNull(since ?? null),
  };
}

function describeRotation(webhook: WebhookRow, since: number | undefined, now: number): Finding | [] {
  if (since === undefined || now - since <= rotationWaitsMs) return [];
  return {
    kind: "rotation_waiting",
    webhook_id: webhook.id,
    message:
      "A new signing secret has waited for more than 24 hours. The webhook still uses the old one. Finish the rotation or cancel it.",
    since: toTimestamp(since),
  };
}
