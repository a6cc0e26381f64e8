import type { AuditActor } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Mutation } from "@hookwright/storage";
import { commitAudited, commitAuditEntry } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";

const minuteMs = 60 * 1_000;
const hourMs = 60 * minuteMs;
const maximumKnown = 10_000;

/** Writes sign-ins into the audit logs of accounts. Each process writes a limited number, so that they cannot displace other entries. */
export interface SignInAudit {
  /**
   * Commits the rows of a sign-in, with at most one entry of an account and actor in a minute. Await it before the session is stored, which
   * is in another partition: no session without an entry.
   */
  succeeded(accountId: string, actor: AuditActor, mutations: readonly Mutation[]): Promise<void>;
  /** At most one entry of an account in an hour. It does not wait, so that the response time does not reveal an account. */
  failed(accountIds: readonly string[]): void;
}

export function createSignInAudit(context: AuditContext & Pick<ServiceContext, "onError">): SignInAudit {
  const isFirstSuccess = createOnceIn(minuteMs, context.now);
  const isFirstFailure = createOnceIn(hourMs, context.now);
  const targetOf = (id: string) => ({ accountId: id, target: { kind: "account", id } }) as const;
  return {
    async succeeded(accountId, actor, mutations) {
      const isFirst = isFirstSuccess([accountId, actor.kind, actor.id, actor.name].join(" "));
      const audited = isFirst
        ? ({ action: "sign_in.succeeded", ...targetOf(accountId) } as const)
        : undefined;
      const origin = { actor, requestId: null };
      await commitAudited(context, partitionOf(accountId), origin, async () => ({
        commit: { mutations },
        result: undefined,
        audited,
      }));
    },
    failed(accountIds) {
      for (const accountId of accountIds) {
        if (!isFirstFailure(accountId)) continue;
        const origin = { actor: { kind: "client", id: null, name: null }, requestId: null } as const;
        const audited = { action: "sign_in.failed", ...targetOf(accountId) } as const;
        commitAuditEntry(context, partitionOf(accountId), origin, audited).catch((error: unknown) =>
          context.onError(error, { account_id: accountId, code: "sign_in_failure_not_recorded" }),
        );
      }
    },
  };
}

/** Returns whether a name is used for the first time in an interval. It remembers the last 10,000 names. */
function createOnceIn(intervalMs: number, now: () => number): (name: string) => boolean {
  /** The interval of the last time. The first one is the oldest. */
  const last = new Map<string, number>();
  return (name) => {
    const interval = Math.floor(now() / intervalMs);
    if (last.get(name) === interval) return false;
    last.delete(name);
    last.set(name, interval);
    const [oldest] = last.keys();
    if (last.size > maximumKnown && oldest !== undefined) last.delete(oldest);
    return true;
  };
}
