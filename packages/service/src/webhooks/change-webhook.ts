import {
  enableRemoved,
  findRemovedWebhook,
  readWebhookGuard,
  replaceRow,
  replaceTarget,
  resetFailures,
  toChangeNotification,
} from "@hookwright/delivery";
import type { CommitPart, Stored, WebhookGuard, WebhookRow } from "@hookwright/delivery";
import { HookwrightError, isHostId, moveWebhook } from "@hookwright/domain";
import type { ConsoleWebhook, WebhookInput } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext, AuditedChange } from "../audit/commit-audited.ts";
import { findChanges } from "../audit/field-changes.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { expectPresentWebhook } from "../lookups/find-webhooks.ts";
import { findTargetRefusal, keepTargetDisabled, releaseTarget } from "../lookups/disabled-targets.ts";
import { keys } from "../rows/keys.ts";
import { parseResendRow } from "../rows/resend-row.ts";
import { readConsoleWebhook } from "../lookups/read-webhooks.ts";
import { expectRemovedWebhook } from "../lookups/read-webhooks.ts";

/** What an owner or the operator does to a webhook. Only the operator disables and enables. */
export type WebhookChange =
  | {
      readonly action: "pause" | "resume" | "turn_on" | "enable";
      /** The job that sends what it did not accept. */
      readonly unrecovered?: WebhookRow["unrecovered"];
    }
  /** `reason` is for the owner. */
  | { readonly action: "disable"; readonly reason: string };

const auditActions = {
  pause: "webhook.paused",
  resume: "webhook.resumed",
  turn_on: "webhook.turned_on",
  disable: "webhook.disabled",
  enable: "webhook.enabled",
} as const;

/**
 * Pauses, resumes, turns on, disables or enables. Events that happen while a webhook is not active are sent only by a recovery, and the
 * worker cancels retries that become due then. Turning on resets the failures in a row and ends the back-off, resuming does not.
 * Enabling brings back the state before (contract: Webhooks).
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`
 */
export async function changeWebhook(
  context: AuditContext & Pick<ServiceContext, "worker">,
  accountId: string,
  webhookId: string,
  change: WebhookChange,
  origin?: ChangeOrigin,
): Promise<ConsoleWebhook> {
  const { store, worker, now } = context;
  const changed = await commitAudited(context, partitionOf(accountId), origin, async () => {
    const webhook = await expectPresentWebhook(store, accountId, webhookId);
    const prepared = await prepareChange(store, accountId, webhook, change, now());
    if (!prepared.ok) throw new HookwrightError("invalid_state", prepared.reason);
    const { commit, after, audited } = prepared;
    return { commit, result: after, audited };
  });
  worker.webhookChanged({ accountId, event: changed.event, webhookId });
  return readConsoleWebhook(store, accountId, changed);
}

export type PreparedChange =
  | {
      readonly ok: true;
      readonly commit: WebhookCommit;
      readonly after: WebhookRow;
      readonly audited: AuditedChange;
    }
  | { readonly ok: false; readonly reason: string };

interface WebhookCommit extends CommitPart {
  readonly notify: readonly Key[];
}

/** The commit of a change. It fails if the webhook has changed since it was read. */
export async function prepareChange(
  store: Store,
  accountId: string,
  webhook: Stored<WebhookRow>,
  change: WebhookChange,
  now: number,
): Promise<PreparedChange> {
  const { disabled, unrecovered: _before, ...row } = webhook.row;
  const guard = await readWebhookGuard(store, accountId);
  const moved = moveWebhook(row.status, inputOf(webhook.row, change));
  if (!moved.ok || moved.state === "removed") {
    const detail = disabled === undefined ? "" : ` Reason: ${disabled.reason}`;
    return { ok: false, reason: moved.ok ? "" : `${moved.reason}${detail}` };
  }
  if (isTurnedOn(change)) {
    const refusal = await findTargetRefusal(store, accountId, new URL(row.target_url), row.id);
    if (refusal !== undefined) return { ok: false, reason: refusal };
  }
  const unrecovered = await readUnrecovered(store, accountId, webhook.row, change);
  const after = {
    ...toChanged(row, moved.state, { change, disabled, now }),
    ...(unrecovered && { unrecovered }),
  };
  return {
    ok: true,
    commit: await toCommit(store, guard, webhook, after, change),
    after,
    audited: {
      action: auditActions[change.action],
      accountId,
      target: { kind: "webhook", id: row.id },
      changed: findChanges(shownOf(webhook.row), shownOf(after)),
    },
  };
}

/** What an entry of the audit log says of a webhook. */
function shownOf({ status, disabled }: WebhookRow): object {
  return { status, ...(disabled && { reason: disabled.reason }) };
}

/** What a job still has to send. If somebody turns the webhook on without a job, the rest of an ended job is no longer asked for. */
async function readUnrecovered(
  store: Store,
  accountId: string,
  { unrecovered }: WebhookRow,
  change: WebhookChange,
): Promise<WebhookRow["unrecovered"]> {
  const asked = change.action === "disable" ? undefined : change.unrecovered;
  if (asked !== undefined || unrecovered === undefined || !isTurnedOn(change)) return asked ?? unrecovered;
  const job = await store.get(keys.resend(accountId, unrecovered.job_id));
  return job !== undefined && parseResendRow(job).status === "running" ? unrecovered : undefined;
}

/** Whether it sends again, by its owner or the operator. */
function isTurnedOn({ action }: WebhookChange): boolean {
  return action === "resume" || action === "turn_on";
}

/** The input of the state machine. Enabling brings back the state before. */
export function inputOf({ disabled }: WebhookRow, { action }: WebhookChange): WebhookInput {
  if (action !== "enable") return action;
  const before = disabled?.status_before ?? "active";
  return before === "active" ? "enable" : `enable_${before}`;
}

function toChanged(
  row: Omit<WebhookRow, "disabled">,
  status: WebhookRow["status"],
  {
    change,
    disabled,
    now,
  }: {
    readonly change: WebhookChange;
    readonly disabled: WebhookRow["disabled"];
    readonly now: number;
  },
): WebhookRow {
  // What a webhook has missed since it was paused is still counted after it was disabled meanwhile.
  if (change.action === "enable" && status !== "active" && disabled !== undefined) {
    const { status_changed_at: _at, ...rest } = row;
    const { status_changed_at_before: before } = disabled;
    return { ...rest, status, ...(before !== undefined && { status_changed_at: before }) };
  }
  const changed = { ...row, status, status_changed_at: now };
  if (change.action !== "disable") return changed;
  if (row.status === "disabled_by_host") return changed;
  const { status: status_before, status_changed_at: status_changed_at_before } = row;
  return { ...changed, disabled: { reason: change.reason, status_before, status_changed_at_before } };
}

async function toCommit(
  store: Store,
  guard: WebhookGuard,
  webhook: Stored<WebhookRow>,
  after: WebhookRow,
  { action }: WebhookChange,
): Promise<WebhookCommit> {
  const { accountId } = guard;
  const { id: webhookId, event, target_url } = after;
  const notify = toChangeNotification({ accountId, event, webhookId });
  if (action === "disable" || action === "enable") {
    const reason = after.disabled?.reason;
    const target =
      reason === undefined
        ? releaseTarget(accountId, webhookId)
        : keepTargetDisabled(accountId, webhookId, { target_url, reason });
    // The URL may be added again at the same time.
    return join(replaceTarget(guard, webhook, after), { checks: [], mutations: [target] }, notify);
  }
  // Every recorded result changes the counters. So only turning on checks them.
  const reset = action === "turn_on" ? await resetFailures(store, { accountId, event, webhookId }) : none;
  // The operator may disable another webhook with this URL at the same time.
  const { checks, mutations } = replaceRow(webhook, after);
  return join({ checks: [guard.check, ...checks], mutations }, reset, notify);
}

const none: CommitPart = { checks: [], mutations: [] };

function join(one: CommitPart, other: CommitPart, notify: readonly Key[]): WebhookCommit {
  return {
    checks: [...one.checks, ...other.checks],
    mutations: [...one.mutations, ...other.mutations],
    notify,
  };
}

/**
 * Enables a webhook, also one that its owner has removed since: then only its URL is allowed again.
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`
 */
export async function enableWebhook(
  context: AuditContext & Pick<ServiceContext, "worker">,
  accountId: string,
  webhookId: string,
  origin?: ChangeOrigin,
): Promise<ConsoleWebhook> {
  const { store, now } = context;
  const removed = isHostId(webhookId) ? await findRemovedWebhook(store, accountId, webhookId) : undefined;
  if (removed?.disabled === undefined)
    return changeWebhook(context, accountId, webhookId, { action: "enable" }, origin);
  await commitAudited(context, partitionOf(accountId), origin, async () => ({
    commit: {
      mutations: [releaseTarget(accountId, webhookId), enableRemoved(accountId, removed, now())],
    },
    result: undefined,
    audited: {
      action: auditActions.enable,
      accountId,
      target: { kind: "webhook", id: webhookId },
    },
  }));
  return expectRemovedWebhook(store, accountId, webhookId);
}
