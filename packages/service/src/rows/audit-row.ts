import { toTimestamp } from "@hookwright/domain";
import type { AuditAction, AuditActor, AuditEntry, AuditTarget, FieldChange } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";

/** A stored entry of the audit log. It has no secrets: values are only of fields that `findChanges` names. */
export interface AuditRow {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly account_id: string | null;
  readonly target: AuditTarget;
  readonly changed: readonly string[];
  /** Absent if there are none. Older versions stored none. */
  readonly values?: readonly FieldChange[];
  readonly request_id: string | null;
}

/** The default age limit. Copies of accounts start it again. */
export const defaultAuditRetentionMs = 90 * 24 * 60 * 60 * 1_000;

export function parseAuditRow(text: string): AuditRow {
  return JSON.parse(text);
}

export function toAuditEntry({ at, changed, values = [], ...row }: AuditRow): AuditEntry {
  return { ...row, at: toTimestamp(at), changed: [...changed], changes: [...values] };
}

/**
 * Writes an entry twice: in the list of its account, and in the log of its partition, which the host reads. The list of an account ends
 * with the account. The entry about the end is in a list of its own.
 *
 * @param partition the partition of the commit. It is that of the account, if there is one
 */
export function toAuditMutations(row: AuditRow, partition: string, expiresAt: number): Mutation[] {
  const value = JSON.stringify(row);
  return auditKeys(row, partition).map((key) => ({ type: "set", key, value, expiresAt }));
}

export function auditKeys(
  { id, action, account_id: accountId }: Pick<AuditRow, "id" | "action" | "account_id">,
  partition: string,
): Key[] {
  const log: Key = [...keys.auditLog(partition), id];
  if (accountId === null) return [log];
  const list = isAfterAccount(action) ? keys.auditAfterAccount(accountId) : keys.audit(accountId);
  return [log, [...list, id]];
}

/** Whether an entry stays after its account is deleted. */
export function isAfterAccount(action: AuditAction): boolean {
  return action === "account.deleted";
}
