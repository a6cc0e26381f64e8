import {
  defaultAccountDelivery,
  defaultAccountLimits,
  defaultAccountRetention,
  toTimestamp,
} from "@hookwright/domain";
import type {
  AccountDelivery,
  AccountLimits,
  AccountRetention,
  AccountStatus,
  HostAccount,
  Plan,
} from "@hookwright/domain";
import { createTextCache } from "@hookwright/storage/text-cache";

/** A stored account. Times are milliseconds since the epoch. The password has its own row. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly timezone: string;
  readonly status: AccountStatus;
  readonly plan: Plan;
  readonly demo: boolean;
  readonly created_at: number;
  /** Absent if the account has only default limits. */
  readonly limits?: AccountLimits;
  /** Absent if the account has only default retention. */
  readonly retention?: AccountRetention;
  /** Absent if its deliveries follow the rules of the server. */
  readonly delivery?: AccountDelivery;
}

export const parseAccountRow = createTextCache((text): AccountRow => JSON.parse(text));

/** Webhooks behave as if paused if the account is suspended or its plan has no integrations (contract: Webhooks). */
export function mayDeliver({ status, plan }: Pick<AccountRow, "status" | "plan">): boolean {
  return status === "active" && plan.integrations;
}

/** Copies the row and its plan, because callers may change the result and cached rows are shared. */
export function toAccount(row: AccountRow): HostAccount {
  return {
    ...row,
    plan: { ...row.plan },
    created_at: toTimestamp(row.created_at),
    limits: { ...defaultAccountLimits, ...row.limits },
    retention: { ...defaultAccountRetention, ...row.retention },
    delivery: { ...defaultAccountDelivery, ...row.delivery },
  };
}
