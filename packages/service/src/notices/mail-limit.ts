import { createHash } from "node:crypto";
import type { WebhookNotice } from "@hookwright/delivery";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";

/** Limits the mails to the owner of each account, over all processes that share the store. */
export interface MailLimit {
  /** Decides whether to send the mail of a notice, and counts it. */
  take(notice: WebhookNotice): Promise<MailDecision>;
}

export type MailDecision =
  | { readonly type: "send" }
  /** Sent instead of the first mail above the limit. `resumesAt` is the earliest time of the next mail. */
  | { readonly type: "summary"; readonly resumesAt: number }
  | { readonly type: "held_back"; readonly reason: HeldBackReason };

/** `already_warned`: there was a warning for the same events and URL, even if that webhook was removed since. */
export type HeldBackReason = "limit_reached" | "already_warned";

/** Mails in any 24 hours, without the summary. */
export const maximumMails = 10;
const periodMs = 24 * 60 * 60 * 1_000;

interface MailsRow {
  readonly mails: readonly SentMail[];
  readonly summary_at: number | null;
}

interface SentMail {
  readonly at: number;
  /** The endpoint of a warning. Null for other mails. */
  readonly warned_endpoint: string | null;
}

/**
 * One small row per account stores the mails of the last 24 hours. Warnings are stored by events and URL, because a webhook that is
 * removed and created again has a new id.
 */
export function createMailLimit({ store, now }: Pick<ServiceContext, "store" | "now">): MailLimit {
  return {
    take(notice) {
      const key = keys.mailCount(notice.accountId);
      return commitUntilDone(store, key[0], async () => {
        const at = now();
        const stored = await store.get(key);
        const { decision, row } = decide(parseRow(stored), notice, at);
        if (row === undefined) return { result: decision };
        const value = JSON.stringify(row);
        return {
          commit: {
            checks: [{ key, value: stored }],
            mutations: [{ type: "set", key, value, expiresAt: at + periodMs }],
          },
          result: decision,
        };
      });
    },
  };
}

function decide(
  { mails: stored, summary_at: summaryAt }: MailsRow,
  notice: WebhookNotice,
  now: number,
): { readonly decision: MailDecision; readonly row?: MailsRow } {
  const mails = stored.filter(({ at }) => isWithinPeriod(at, now));
  const endpoint = notice.type === "failing" ? fingerprint(notice) : null;
  if (endpoint !== null && mails.some((mail) => mail.warned_endpoint === endpoint)) {
    return { decision: { type: "held_back", reason: "already_warned" } };
  }
  if (mails.length < maximumMails) {
    const sent = [...mails, { at: now, warned_endpoint: endpoint }];
    return { decision: { type: "send" }, row: { mails: sent, summary_at: summaryAt } };
  }
  if (summaryAt !== null && isWithinPeriod(summaryAt, now)) {
    return { decision: { type: "held_back", reason: "limit_reached" } };
  }
  const resumesAt = Math.min(...mails.map(({ at }) => at)) + periodMs;
  return { decision: { type: "summary", resumesAt }, row: { mails, summary_at: now } };
}

/** Compares the absolute difference: after the clock was set back, later times must not count for longer than a day. */
function isWithinPeriod(at: number, now: number): boolean {
  return Math.abs(now - at) < periodMs;
}

function parseRow(text: string | undefined): MailsRow {
  return text === undefined ? { mails: [], summary_at: null } : JSON.parse(text);
}

function fingerprint({ events, targetUrl }: WebhookNotice): string {
  const url = new URL(targetUrl);
  // The fragment does not distinguish endpoints, as when a webhook is created.
  url.hash = "";
  return createHash("sha256")
    .update(`${events.join(" ")} ${url.href}`)
    .digest("hex")
    .slice(0, 16);
}
