import { toTimestamp } from "@hookwright/domain";
import type { AccountStatus, HostAccount, Plan } from "@hookwright/domain";
import { createTextCache } from "@hookwright/delivery";

/** An account as it is stored. Times are milliseconds; the password has a row of its own. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly timezone: string;
  readonly status: AccountStatus;
  readonly plan: Plan;
  readonly demo: boolean;
  readonly created_at: number;
}

export const parseAccountRow = createTextCache((text): AccountRow => JSON.parse(text));

/** A suspended account, or one whose plan has no integrations, rests: its webhooks are as if paused (contract §5). */
export function mayDeliver({ status, plan }: Pick<AccountRow, "status" | "plan">): boolean {
  return status === "active" && plan.integrations;
}

/** Whoever is given it may change it: the row is shared by all who read the same text, and a plan by all accounts without one. */
export function toAccount(row: AccountRow): HostAccount {
  return { ...row, plan: { ...row.plan }, created_at: toTimestamp(row.created_at) };
}
