import { endsWithin } from "@hookwright/delivery";
import type { Clock, WebhookNotice } from "@hookwright/delivery";
import type { LogFields, WriteLogLine } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { createFairLimit } from "../limits/fair-limit.ts";
import type { LimitedUse } from "../limits/fair-limit.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { createMailLimit } from "./mail-limit.ts";
import type { MailDecision } from "./mail-limit.ts";
import type { Mailer } from "./webhook-mail.ts";
import { toSummaryMail, toWebhookMail } from "./webhook-mail.ts";

/** Notifies the owners of accounts about their webhooks by mail. */
export interface OwnerMails {
  /** Returns at once. Failures are retried and logged. */
  notify(notice: WebhookNotice): void;
  /** Starts no further mails. Waits up to one second for mails in progress, then logs every unsent mail. */
  close(): Promise<void>;
}

export interface OwnerMailsOptions {
  readonly store: Store;
  readonly mailer: Mailer;
  /** The URL of the console, for links. @default no links */
  readonly consoleUrl?: string | undefined;
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: WriteLogLine;
}

/** Bridges a restart of the mail server. Waiting mails are only in memory. */
const retryDelaysMs = [5_000, 60_000, 600_000];
/** The timeout of one attempt. */
const sendMs = 60_000;
const maximumSending = 8;
export const maximumWaitingMails = 1_000;
const closeMs = 1_000;

interface QueuedMail extends LimitedUse {
  readonly notice: WebhookNotice;
  /** The decision of the account's limit. Kept for retries, so that a mail counts only once. */
  decision: MailDecision | undefined;
  failedAttempts: number;
  /** The error of the last attempt. Undefined while an attempt is in progress. */
  error: unknown;
  /** Cancels the scheduled retry. */
  cancel: () => void;
}

/**
 * Sends at most ten mails per account in any 24 hours, then one summary. Failed mails count as well. A mail that cannot be counted is
 * still sent.
 */
export function createOwnerMails({
  store,
  mailer,
  consoleUrl,
  clock,
  now,
  log,
}: OwnerMailsOptions): OwnerMails {
  const limit = createMailLimit({ store, now });
  /** All mails that are due, in progress or scheduled for a retry. */
  const unsent = new Set<QueuedMail>();
  /** The mails that are not in progress. At the limit, the oldest one of the account with the most is given up. */
  const waiting = createFairLimit({ maximum: maximumWaitingMails });
  const due: QueuedMail[] = [];
  const sending = new Set<Promise<void>>();
  let closed = false;

  function sendDue(): void {
    while (!closed && sending.size < maximumSending) {
      const next = due.shift();
      if (next === undefined) return;
      const done = attempt(next).finally(() => {
        sending.delete(done);
        sendDue();
      });
      sending.add(done);
    }
  }

  async function attempt(mail: QueuedMail): Promise<void> {
    if (!unsent.has(mail)) return;
    waiting.remove(mail);
    mail.error = undefined;
    const onFault = (error: unknown): void => void (mail.error = error);
    if (await endsWithin(send(mail), { clock, ms: sendMs, onFault })) {
      unsent.delete(mail);
      return;
    }
    mail.error ??= new Error(`the mailer did not answer within ${sendMs} ms`);
    const delayMs = retryDelaysMs[mail.failedAttempts];
    mail.failedAttempts += 1;
    // `close()` has already given this mail up.
    if (!unsent.has(mail)) return;
    if (delayMs === undefined || closed) return giveUp(mail);
    if (!waiting.add(mail)) return mail.end();
    log("mail_retried", { ...describe(mail), again_in_ms: delayMs });
    mail.cancel = clock.schedule(() => {
      due.push(mail);
      sendDue();
    }, delayMs);
  }

  /** Reads the address for each attempt, because it may have changed. */
  async function send(mail: QueuedMail): Promise<void> {
    const { notice } = mail;
    const text = await store.get(keys.account(notice.accountId));
    if (text === undefined) return;
    mail.decision ??= await decide(notice);
    const { email } = parseAccountRow(text);
    switch (mail.decision.type) {
      case "send":
        return mailer.send(toWebhookMail(email, notice, consoleUrl));
      case "summary":
        return mailer.send(toSummaryMail(email, notice, mail.decision.resumesAt, consoleUrl));
      case "held_back":
        log("mail_held_back", { ...describeNotice(notice), reason: mail.decision.reason });
    }
  }

  async function decide(notice: WebhookNotice): Promise<MailDecision> {
    try {
      return await limit.take(notice);
    } catch (error) {
      log("mail_not_counted", { ...describeNotice(notice), error });
      return { type: "send" };
    }
  }

  function giveUp(mail: QueuedMail): void {
    mail.cancel();
    unsent.delete(mail);
    waiting.remove(mail);
    log("mail_not_sent", describe(mail));
  }

  return {
    notify(notice) {
      const mail: QueuedMail = {
        holders: [notice.accountId],
        end() {
          mail.error = new Error(`more than ${maximumWaitingMails} mails wait`);
          giveUp(mail);
        },
        notice,
        decision: undefined,
        failedAttempts: 0,
        error: undefined,
        cancel: () => {},
      };
      if (closed) return giveUp(mail);
      if (!waiting.add(mail)) return mail.end();
      unsent.add(mail);
      due.push(mail);
      sendDue();
    },
    async close() {
      closed = true;
      await endsWithin(Promise.all(sending), { clock, ms: closeMs, onFault: () => {} });
      for (const mail of unsent) giveUp(mail);
    },
  };
}

function describe({ notice, failedAttempts, error }: QueuedMail): LogFields {
  return {
    ...describeNotice(notice),
    tries: failedAttempts,
    error: error ?? new Error("the process is closing"),
  };
}

function describeNotice({ accountId, webhookId, type }: WebhookNotice) {
  return { account_id: accountId, webhook_id: webhookId, notice: type };
}
