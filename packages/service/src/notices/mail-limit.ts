import { createHash } from "node:crypto";
import type { WebhookNotice } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";

/** Limits the mails to the owner of one account, over all processes that share the store. */
export interface MailLimit {
  /** Decides about the mail of one notice, and counts it. */
  take(notice: WebhookNotice): Promise<MailDecision>;
}

export type MailDecision =
  | { readonly type: "send" }
  /** Sent in the place of the first mail above the limit. `resumesAt`: when the next mail may be sent, at the earliest. */
  | { readonly type: "summary"; readonly resumesAt: number }
  | { readonly type: "held_back"; readonly reason: HeldBackReason };

/** `already_warned`: a webhook of the same event and URL was warned about, which may have been removed since. */
export type HeldBackReason = "limit_reached" | "already_warned";

/** In any 24 hours. One summary may follow them. */
export const mostMails = 10;
const periodMs = 24 * 60 * 60 * 1_000;

interface MailsRow {
  readonly mails: readonly SentMail[];
  readonly summary_at: number | null;
}

interface SentMail {
  readonly at: number;
  /** The endpoint that a warning was about; null for other mails. */
  readonly warned_endpoint: string | null;
}

/**
 * One small row per account holds the mails of the last 24 hours. A webhook that is removed and created again has a new id, so
 * its earlier warning is found by its event and URL, of which an account can have only one webhook.
 */
export function createMailLimit({
  store,
  now,
}: {
  readonly store: Store;
  readonly now: () => number;
}): MailLimit {
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
  if (mails.length < mostMails) {
    const sent = [...mails, { at: now, warned_endpoint: endpoint }];
    return { decision: { type: "send" }, row: { mails: sent, summary_at: summaryAt } };
  }
  if (summaryAt !== null && isWithinPeriod(summaryAt, now)) {
    return { decision: { type: "held_back", reason: "limit_reached" } };
  }
  const resumesAt = Math.min(...mails.map(({ at }) => at)) + periodMs;
  return { decision: { type: "summary", resumesAt }, row: { mails, summary_at: now } };
}

/** Either way: with a clock that was set back, mails lie ahead, and would count for longer than a day. */
function isWithinPeriod(at: number, now: number): boolean {
  return Math.abs(now - at) < periodMs;
}

function parseRow(text: string | undefined): MailsRow {
  return text === undefined ? { mails: [], summary_at: null } : JSON.parse(text);
}

function fingerprint({ event, targetUrl }: WebhookNotice): string {
  const url = new URL(targetUrl);
  // As when a webhook is created: a fragment makes no other endpoint.
  url.hash = "";
  return createHash("sha256").update(`${event} ${url.href}`).digest("hex").slice(0, 16);
}
