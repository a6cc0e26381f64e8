import { findWebhook } from "@hookwright/delivery";
import type { WebhookOfAccount, WebhookRow, Worker } from "@hookwright/delivery";
import { recoveredStatuses } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Store } from "@hookwright/storage";
import { commitAudited } from "../../audit/commit-audited.ts";
import type { AuditContext } from "../../audit/commit-audited.ts";
import { toEndedSince } from "../../lookups/find-webhooks.ts";
import { mayDeliver, parseAccountRow } from "../../rows/account-row.ts";
import { keys, operator } from "../../rows/keys.ts";
import { recoveryRunningKey } from "../../rows/resend-row.ts";
import { parseWebhookActionRow, toWebhookActionMutations } from "../../rows/webhook-action-row.ts";
import type { WebhookActionRow } from "../../rows/webhook-action-row.ts";
import { prepareChange } from "../../webhooks/change-webhook.ts";
import type { StepResult } from "../resends/resend-step.ts";
import { newResend, toResendStart } from "../resends/start-resend.ts";
import { changeOf, findTargets, isTarget } from "./find-targets.ts";

export interface ActionStepOptions extends AuditContext {
  readonly worker: Pick<Worker, "fence" | "webhookChanged">;
}

/** Webhooks read by one step. */
const scannedAtOnce = 2_000;
/** Webhooks changed by one step. Each has a commit of its own. */
const changedAtOnce = 20;

/**
 * Does the next part of an action on many webhooks: it changes some, then stores its position. After a crash in between, they do not match
 * any more, so nothing is done twice, but the counters lack them.
 *
 * @throws Error if the action cannot continue now. Nothing is lost
 */
export async function actionStep(
  options: ActionStepOptions,
  { id }: { readonly id: string },
): Promise<StepResult> {
  const { store, worker } = options;
  const key = keys.webhookAction(id);
  const fence = worker.fence(operator);
  if (fence === undefined) return "wait";
  const text = await store.get(key);
  if (text === undefined || parseWebhookActionRow(text).status !== "running") return "ended";
  const before = parseWebhookActionRow(text);
  const after =
    before.stage === "count" ? await countTargets(store, before) : await changeTargets(options, before);
  const { ok } = await store.commit(partitionOf(operator), {
    checks: [fence, { key, value: text }],
    mutations: toWebhookActionMutations(after),
  });
  if (!ok) return recordStopped(store, after, fence);
  return after.status === "running" ? "more" : "ended";
}

/** Counts what the action matches, in the next webhooks. When all are counted, the action is ready to change them. */
export async function countTargets(store: Store, before: WebhookActionRow): Promise<WebhookActionRow> {
  const limits = { maximum: scannedAtOnce, limit: scannedAtOnce };
  const { targets, next } = await findTargets(store, before, limits);
  const found = before.found + targets.length;
  return { ...before, found, position: next, stage: next === null ? "change" : "count" };
}

async function changeTargets(
  options: ActionStepOptions,
  before: WebhookActionRow,
): Promise<WebhookActionRow> {
  const limits = { maximum: scannedAtOnce, limit: changedAtOnce };
  const { targets, next } = await findTargets(options.store, before, limits);
  let { changed, recoveries } = before;
  for (const target of targets) {
    const done = await changeTarget(options, before, target);
    if (done.isChanged) changed += 1;
    if (done.isRecovering) recoveries += 1;
  }
  const after = { ...before, changed, recoveries, position: next };
  if (next !== null) return after;
  // Those that did not match any more, whether or not a page had them.
  const skipped = Math.max(0, before.found - changed);
  return { ...after, skipped, status: "finished", finished_at: options.now() };
}

interface Done {
  readonly isChanged: boolean;
  readonly isRecovering: boolean;
}

/** Changes a webhook, and starts its recovery in the same commit. */
async function changeTarget(
  options: ActionStepOptions,
  asked: WebhookActionRow,
  { accountId, row: { id: webhookId, event } }: WebhookOfAccount,
): Promise<Done> {
  const { store, now, worker } = options;
  const change = changeOf(asked);
  const origin = asked.origin ?? undefined;
  const done = await commitAudited<Done>(options, partitionOf(accountId), origin, async () => {
    const webhook = await findWebhook(store, accountId, webhookId);
    if (webhook === undefined || !isTarget(asked, { accountId, row: webhook.row }))
      return { result: { isChanged: false, isRecovering: false } };
    const startedAt = now();
    const start = asked.recover
      ? await prepareRecovery(options, accountId, { row: webhook.row, now: startedAt })
      : undefined;
    const asksFor = change.action === "disable" ? change : { ...change, unrecovered: start?.unrecovered };
    const prepared = await prepareChange(store, accountId, webhook, asksFor, startedAt);
    if (!prepared.ok) return { result: { isChanged: false, isRecovering: false } };
    const { commit, audited, after } = prepared;
    if (start === undefined || after.status !== "active")
      return { commit, audited, result: { isChanged: true, isRecovering: false } };
    return {
      commit: {
        checks: [...commit.checks, ...start.checks],
        mutations: [...commit.mutations, ...start.mutations],
        notify: [...commit.notify, ...start.notify],
      },
      audited: [audited, start.audited],
      result: { isChanged: true, isRecovering: true },
    };
  });
  if (done.isChanged) worker.webhookChanged({ accountId, event, webhookId });
  return done;
}

/** A recovery of everything since the webhook stopped. Undefined if that is unknown, or the account may not send. */
async function prepareRecovery(
  { store, newId }: ActionStepOptions,
  accountId: string,
  { row, now }: { readonly row: WebhookRow; readonly now: number },
) {
  const accountKey = keys.account(accountId);
  const [account, running] = await store.getMany([
    accountKey,
    recoveryRunningKey(accountId, { event: row.event, webhook_id: row.id }),
  ]);
  const endedSince = toEndedSince(row);
  if (endedSince === undefined || running !== undefined) return undefined;
  if (account === undefined || !mayDeliver(parseAccountRow(account))) return undefined;
  const range = { filter: { statuses: recoveredStatuses }, not_sent: true };
  const recovery = newResend("recovery", range, [{ webhook: row, endedSince }], {
    id: newId("rcv"),
    turned_on: 1,
    now,
  });
  const start = await toResendStart(store, accountId, recovery);
  return {
    ...start,
    unrecovered: { job_id: recovery.id, since: endedSince },
    checks: [{ key: accountKey, value: account }, ...start.checks],
    audited: {
      action: "recovery.started",
      accountId,
      target: { kind: "recovery", id: recovery.id },
    },
  } as const;
}

/** The action was stopped during the step, or another process runs it. Its counters include what the step did. */
async function recordStopped(store: Store, done: WebhookActionRow, fence: Check): Promise<StepResult> {
  const key = keys.webhookAction(done.id);
  const text = await store.get(key);
  const stopped = text === undefined ? undefined : parseWebhookActionRow(text);
  if (text === undefined || stopped?.status !== "stopped") return "wait";
  const { changed, recoveries } = done;
  await store.commit(partitionOf(operator), {
    checks: [fence, { key, value: text }],
    mutations: toWebhookActionMutations({ ...stopped, changed, recoveries }),
  });
  return "ended";
}
