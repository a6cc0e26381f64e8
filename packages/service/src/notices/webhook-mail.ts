import type { WebhookNotice } from "@hookwright/delivery";
import { switchOffAfterFailures } from "@hookwright/domain";
import { maximumMails } from "./mail-limit.ts";

/** The mail to the owner about consecutive failures or the removal of a webhook (contract: Failures in a row). It ends with a link, if there is a console. */
export function toWebhookMail(to: string, notice: WebhookNotice, consoleUrl?: string): Mail {
  const { subject, lines } = describe(notice);
  // The console has no page for a removed webhook.
  const path = notice.type === "gone" ? "/webhooks" : `/webhooks/${encodeURIComponent(notice.webhookId)}`;
  return { to, subject, text: [...lines, ...linkTo(consoleUrl, path)].join("\n") };
}

interface Description {
  readonly subject: string;
  readonly lines: readonly string[];
}

function describe(notice: WebhookNotice): Description {
  const { targetUrl, consecutiveFailures, webhookId, lastFailure } = notice;
  if (notice.type === "failing") {
    return {
      subject: `Your webhook is failing: ${consecutiveFailures} attempts in a row`,
      lines: [
        `Deliveries to ${targetUrl} (${webhookId}) have failed ${consecutiveFailures} times in a row.`,
        `The last failure: ${lastFailure}`,
        "",
        "Each is retried over about half an hour. The delivery log in the developer console shows what your endpoint answered.",
        `After ${switchOffAfterFailures} failed attempts in a row the webhook is disabled.`,
      ],
    };
  }
  if (notice.type === "gone") {
    return {
      subject: "Your webhook was removed",
      lines: [
        `Your endpoint answered a delivery to ${targetUrl} (${webhookId}) with 410, so the webhook was removed.`,
        "",
        "410 means that an endpoint is gone for good. Pending deliveries are cancelled, and no more events are sent.",
        "The developer console shows the removed webhook for 30 days. If the answer was a mistake, create a new webhook there. It has a new signing secret.",
      ],
    };
  }
  return {
    subject: "Your webhook was disabled",
    lines: [
      `Deliveries to ${targetUrl} (${webhookId}) have failed ${consecutiveFailures} times in a row, so the webhook was disabled.`,
      `The last failure: ${lastFailure}`,
      "",
      "Events that occur meanwhile are not sent by themselves. Once your endpoint works again, turn the webhook on in the developer console. Then start a recovery there to send what was missed.",
    ],
  };
}

/** The console has its state in the fragment. */
function linkTo(consoleUrl: string | undefined, path: string): readonly string[] {
  return consoleUrl === undefined ? [] : ["", `${consoleUrl}#${path}`];
}

/** Sent once, instead of the first mail above the limit. */
export function toSummaryMail(
  to: string,
  notice: WebhookNotice,
  resumesAt: number,
  consoleUrl?: string,
): Mail {
  const { subject, lines } = describe(notice);
  const [whatHappened] = lines;
  return {
    to,
    subject: "There are more messages about your webhooks",
    text: [
      `In the last 24 hours we sent you ${maximumMails} mails about your webhooks. There are more messages, and we do not send each of them.`,
      "The developer console shows which of your webhooks are failing, disabled or removed. Please look there.",
      "",
      `The latest message: ${subject}.`,
      String(whatHappened),
      "",
      `You will get mails about your webhooks again after ${toMinute(resumesAt)}.`,
      ...linkTo(consoleUrl, "/webhooks"),
    ].join("\n"),
  };
}

/** @example toMinute(0) // "1970-01-01 00:00 UTC" */
function toMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Sends mails. The reference server uses SMTP. */
export interface Mailer {
  /** After an error the mail is retried after 5 s, 1 min and 10 min, unless the process ends. Errors are logged. */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
