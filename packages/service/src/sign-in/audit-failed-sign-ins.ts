import { partitionOf } from "@hookwright/storage";
import { commitAuditEntry } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import type { ChangeOrigin } from "../use-cases.ts";

const hourMs = 60 * 60 * 1_000;
const maximumAccounts = 10_000;
const origin: ChangeOrigin = { actor: { kind: "client", id: null, name: null }, requestId: null };

/**
 * Writes failed sign-ins into the audit logs of the accounts with the address: at most one entry of an account in an hour from each
 * process, so that guesses cannot displace other entries. It does not wait, so that the response time does not reveal an account.
 */
export function createFailedSignInAudit(
  context: AuditContext & Pick<ServiceContext, "onError">,
): (accountIds: readonly string[]) => void {
  /** The hour of the last entry of an account. The first one is the oldest. */
  const hours = new Map<string, number>();
  return (accountIds) => {
    const hour = Math.floor(context.now() / hourMs);
    for (const accountId of accountIds) {
      if (hours.get(accountId) === hour) continue;
      hours.delete(accountId);
      hours.set(accountId, hour);
      const [oldest] = hours.keys();
      if (hours.size > maximumAccounts && oldest !== undefined) hours.delete(oldest);
      commitAuditEntry(context, partitionOf(accountId), origin, {
        action: "sign_in.failed",
        accountId,
        target: { kind: "account", id: accountId },
      }).catch((error: unknown) =>
        context.onError(error, { account_id: accountId, code: "sign_in_failure_not_recorded" }),
      );
    }
  };
}
