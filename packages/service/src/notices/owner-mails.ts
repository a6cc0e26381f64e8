import { endsWithin } from "@hookwright/delivery";
import type { Clock, WebhookNotice } from "@hookwright/delivery";
import type { LogFields, WriteLogLine } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { createMailLimit } from "./mail-limit.ts";
import type { MailDecision } from "./mail-limit.ts";
import type { Mailer } from "./mailer.ts";
import { toSummaryMail, toWebhookMail } from "./webhook-mail.ts";

/** Notifies the owners of accounts about their webhooks by mail. */
export interface OwnerMails {
  /** Does not wait: a mail that cannot be sent is tried again, and logged. */
  notify(notice: WebhookNotice): void;
  /** Sends no further mails. Within a second each waiting mail is sent, or logged as not sent. */
  close(): Promise<void>;
}

export interface OwnerMailsOptions {
  readonly store: Store;
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: WriteLogLine;
}

/** A mail server that is restarted, or away for a while, loses no mail; they wait in memory alone, and end with the process. */
const pausesMs = [5_000, 60_000, 600_000];
/** A mailer that says nothing must not keep the others waiting. */
const sendMs = 60_000;
const mostSending = 8;
const mostWaiting = 1_000;
const closeMs = 1_000;

interface Waiting {
  readonly notice: WebhookNotice;
  /** What its account's limit says; undefined until it was asked. A mail is counted once, however often it is tried. */
  decision: MailDecision | undefined;
  /** That have failed. */
  tries: number;
  /** Why the last of them did; undefined while one is under way. */
  error: unknown;
  /** Ends its pause. */
  cancel: () => void;
}

/**
 * At most ten mails an account in any 24 hours, then one summary, then none until one of the ten is a day old. A mail that could
 * not be sent counts as well. A mail that cannot be counted is sent all the same.
 */
export function createOwnerMails({ store, mailer, clock, now, log }: OwnerMailsOptions): OwnerMails {
  const limit = createMailLimit({ store, now });
  /** Neither sent nor given up, those under way included. */
  const unsent = new Set<Waiting>();
  const due: Waiting[] = [];
  const sending = new Set<Promise<void>>();
  let closed = false;

  function pump(): void {
    while (!closed && sending.size < mostSending) {
      const next = due.shift();
      if (next === undefined) return;
      const done = trySending(next).finally(() => {
        sending.delete(done);
        pump();
      });
      sending.add(done);
    }
  }

  async function trySending(one: Waiting): Promise<void> {
    one.error = undefined;
    const onFault = (error: unknown): void => void (one.error = error);
    if (await endsWithin(send(one), { clock, ms: sendMs, onFault })) {
      unsent.delete(one);
      return;
    }
    one.error ??= new Error(`the mailer gave no answer within ${sendMs} ms`);
    const pauseMs = pausesMs[one.tries];
    one.tries += 1;
    // Given up already where all of them were, at the end.
    if (!unsent.has(one)) return;
    if (pauseMs === undefined || closed) return giveUp(one);
    log("mail_retried", { ...describe(one), again_in_ms: pauseMs });
    one.cancel = clock.schedule(() => {
      due.push(one);
      pump();
    }, pauseMs);
  }

  /** To the address that the account has by then. */
  async function send(one: Waiting): Promise<void> {
    const { notice } = one;
    const text = await store.get(keys.account(notice.accountId));
    if (text === undefined) return;
    one.decision ??= await decide(notice);
    const { email } = parseAccountRow(text);
    switch (one.decision.type) {
      case "send":
        return mailer.send(toWebhookMail(email, notice));
      case "summary":
        return mailer.send(toSummaryMail(email, notice, one.decision.resumesAt));
      case "held_back":
        log("mail_held_back", { ...describeNotice(notice), reason: one.decision.reason });
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

  function giveUp(one: Waiting): void {
    one.cancel();
    unsent.delete(one);
    log("mail_not_sent", describe(one));
  }

  return {
    notify(notice) {
      const one: Waiting = {
        notice,
        decision: undefined,
        tries: 0,
        error: undefined,
        cancel: () => {},
      };
      if (closed) return giveUp(one);
      if (unsent.size >= mostWaiting) {
        one.error = new Error(`${mostWaiting} mails wait already`);
        return giveUp(one);
      }
      unsent.add(one);
      due.push(one);
      pump();
    },
    async close() {
      closed = true;
      await endsWithin(Promise.all(sending), { clock, ms: closeMs, onFault: () => {} });
      for (const one of unsent) giveUp(one);
    },
  };
}

function describe({ notice, tries, error }: Waiting): LogFields {
  return { ...describeNotice(notice), tries, error: error ?? new Error("the process is closing") };
}

function describeNotice({ accountId, webhookId, type }: WebhookNotice) {
  return { account_id: accountId, webhook_id: webhookId, notice: type };
}
