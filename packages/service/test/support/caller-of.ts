import { keyRights, mergePlan } from "@hookwright/domain";
import { toAccount } from "../../src/rows/account-row.ts";
import type { Caller } from "../../src/use-cases.ts";

/** A caller with a key of an account that may do everything. */
export function callerOf(accountId: string): Caller {
  const account = toAccount({
    id: accountId,
    name: accountId,
    email: "owner@example.com",
    timezone: "UTC",
    status: "active",
    plan: mergePlan(undefined, undefined),
    demo: false,
    created_at: 0,
  });
  const credential = { type: "key", keyId: "key_1", name: "a tool", integration: false } as const;
  return { accountId, credential, account, rights: keyRights };
}
