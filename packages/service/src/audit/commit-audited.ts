import type { WebhookNotice } from "@hookwright/delivery";
import type { AuditAction, AuditTarget } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Commit, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { toAuditMutations } from "../rows/audit-row.ts";
import type { AuditRow } from "../rows/audit-row.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import { findChanges, toRecorded } from "./field-changes.ts";
import type { ChangedField } from "./field-changes.ts";

/** A function call of the embedding program, which names nobody. */
export const programOrigin: ChangeOrigin = {
  actor: { kind: "program", id: null, name: null },
  requestId: null,
};

/** What the audit log says about a change. */
export interface AuditedChange {
  readonly action: AuditAction;
  readonly accountId: string | null;
  readonly target: AuditTarget;
  /** @default none */
  readonly changed?: readonly ChangedField[];
}

export interface AuditedCommit<Result> {
  readonly commit: Commit;
  readonly result: Result;
  /** Undefined: nothing changed that the audit log names. */
  readonly audited: AuditedChange | readonly AuditedChange[] | undefined;
}

export type AuditContext = Pick<ServiceContext, "store" | "now" | "newId" | "auditRetentionMs" | "onAudited">;

/**
 * {@link commitUntilDone} for a change that the audit log names. The entry is in the same commit. Its log line is written afterwards.
 *
 * @param origin @default a function call of the embedding program
 */
export async function commitAudited<Result>(
  context: AuditContext,
  partition: string,
  origin: ChangeOrigin | undefined,
  prepare: () => Promise<AuditedCommit<Result> | { readonly result: Result }>,
): Promise<Result> {
  type Committed = { readonly result: Result; readonly rows: readonly AuditRow[] };
  const { result, rows } = await commitUntilDone<Committed>(context.store, partition, async () => {
    const prepared = await prepare();
    if (!("commit" in prepared)) return { result: { result: prepared.result, rows: [] } };
    const { commit, result, audited } = prepared;
    const rows = [audited ?? []].flat().map((change) => toAuditRow(context, change, origin));
    const entries = rows.flatMap((row) =>
      toAuditMutations(row, partition, row.at + context.auditRetentionMs),
    );
    return { commit: { ...commit, mutations: [...commit.mutations, ...entries] }, result: { result, rows } };
  });
  rows.forEach((row) => context.onAudited?.(row));
  return result;
}

/** Writes an entry alone, for a change in another partition or in several commits. */
export async function commitAuditEntry(
  context: AuditContext,
  partition: string,
  origin: ChangeOrigin | undefined,
  audited: AuditedChange,
): Promise<void> {
  await commitAudited(context, partition, origin, async () => ({
    commit: { mutations: [] },
    result: undefined,
    audited,
  }));
}

const systemOrigin: ChangeOrigin = { actor: { kind: "system", id: null, name: null }, requestId: null };

const systemActions = {
  failing: "webhook.failing",
  switched_off: "webhook.switched_off",
  gone: "webhook.gone",
  recovered: "webhook.recovered",
} as const;

/** The entry about what happened to a webhook by itself, for the commit in which it happens. */
export function toSystemEntry(
  context: Pick<AuditContext, "now" | "newId" | "auditRetentionMs">,
  { type, accountId, webhookId }: Pick<WebhookNotice, "type" | "accountId" | "webhookId">,
): Mutation[] {
  const target = { kind: "webhook", id: webhookId } as const;
  const row = toAuditRow(context, { action: systemActions[type], accountId, target }, systemOrigin);
  return toAuditMutations(row, partitionOf(accountId), row.at + context.auditRetentionMs);
}

function toAuditRow(
  { now, newId }: Pick<AuditContext, "now" | "newId">,
  { action, accountId, target, changed = [] }: AuditedChange,
  { actor: { kind, id, name }, requestId }: ChangeOrigin = programOrigin,
): AuditRow {
  return {
    id: newId("aud"),
    at: now(),
    // Programs may pass objects with more fields.
    actor: { kind, id, name },
    action,
    account_id: accountId,
    target,
    ...toRecorded(changed),
    request_id: requestId,
  };
}

interface Put {
  readonly accountId: string;
  /** Undefined: the row is new. */
  readonly before: object | undefined;
  readonly after: object;
  /** Changed fields outside the row. @default none */
  readonly also?: readonly string[];
}

/** The change of a `PUT`. Undefined if it changes nothing: hosts repeat such requests. */
export function toAuditedPut(
  target: { readonly kind: "account" | "project" | "email_list"; readonly id: string },
  { accountId, before, after, also = [] }: Put,
): AuditedChange | undefined {
  if (before === undefined) return { action: `${target.kind}.created`, accountId, target };
  const changed = [...findChanges(before, after), ...also.map((field) => ({ field }))];
  if (changed.length === 0) return undefined;
  return { action: `${target.kind}.updated`, accountId, target, changed };
}
