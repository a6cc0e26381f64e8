import type { Notice, NoticeKind } from "@hookwright/domain";
import { maximumMails } from "./mail-limit.ts";

export interface MailOptions {
  readonly to: string;
  /** In the order in which they happened. */
  readonly notices: readonly [Notice, ...Notice[]];
  /** The URL of the console, for links. @default no links */
  readonly consoleUrl?: string | undefined;
  /** A page that ends these mails. @default none */
  readonly stopUrl?: string | undefined;
}

/** Notices that one mail shows. */
const maximumShown = 50;

/** The mail about one notice or several (contract: Failures in a row). It ends with a link, if there is a console. */
export function toNoticeMail({ to, notices, consoleUrl, stopUrl }: MailOptions): Mail {
  const [first, ...others] = notices;
  const subject = others.length === 0 ? subjectOf(first) : `${notices.length} messages about your webhooks`;
  const shown = notices.slice(0, maximumShown);
  const more = notices.length > shown.length ? ["", "", `… and ${notices.length - shown.length} more.`] : [];
  const parts = shown.map((notice) => [...linesOf(notice), ...linkLines(toPage(consoleUrl, notice))]);
  return toMail(to, subject, [...parts.flatMap(separate), ...more, ...stopLines(stopUrl)]);
}

/** The first mail to a new address. It says nothing that a customer could choose: anybody may have entered the address. */
export function toConfirmationMail(to: string, url: string): Mail {
  return toMail(to, "Confirm that you want mails about webhooks", [
    "Somebody wants mails about their webhooks to be sent to this address. Confirm it if that is right:",
    "",
    url,
    "",
    "Otherwise do nothing: you get no such mails.",
  ]);
}

/** A name may have line breaks, which would begin another header. */
function toMail(to: string, subject: string, lines: readonly string[]): Mail {
  return { to, subject: subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " "), text: lines.join("\n") };
}

function separate(lines: readonly string[], index: number): readonly string[] {
  return index === 0 ? lines : ["", "", ...lines];
}

function stopLines(url: string | undefined): readonly string[] {
  return url === undefined ? [] : ["", `Stop these mails: ${url}`];
}

/** The page of the console about a notice. It has none for a removed webhook. */
export function toPage(consoleUrl: string | undefined, { kind, webhook }: Notice): string | undefined {
  // The console has its state in the fragment.
  if (consoleUrl === undefined) return undefined;
  if (kind === "key.expiring") return `${consoleUrl}#/keys`;
  return kind === "webhook.removed" || webhook === null
    ? `${consoleUrl}#/webhooks`
    : `${consoleUrl}#/webhooks/${encodeURIComponent(webhook.id)}`;
}

const advice: Readonly<Record<NoticeKind, readonly string[]>> = {
  "webhook.failing": [
    "Each is retried. The delivery log in the developer console shows what your endpoint answered.",
    "If more attempts fail in a row, the webhook is disabled. Its settings in the console say when.",
  ],
  "webhook.switched_off": [
    "Events that occur meanwhile are not sent by themselves. Once your endpoint works again, turn the webhook on in the developer console. Then start a recovery there to send what was missed.",
  ],
  "webhook.removed": [
    "410 means that an endpoint is gone for good. Pending deliveries are cancelled, and no more events are sent.",
    "The developer console shows the removed webhook for 30 days. If the answer was a mistake, create a new webhook there. It has a new signing secret.",
  ],
  "webhook.recovered": ["Deliveries that have finally failed are not sent again by themselves."],
  "delivery.failed": [
    "They are not retried any more. Once your endpoint works again, send them again in the developer console.",
  ],
  "key.expiring": ["Create a new key in the developer console and use it before then."],
};

/** It is about nothing. */
function isTest({ webhook, key }: Notice): boolean {
  return webhook === null && key === null;
}

function linesOf(notice: Notice): readonly string[] {
  const { kind, message, last_failure: failure } = notice;
  if (isTest(notice)) return [message];
  const shows = failure !== null && kind !== "webhook.removed";
  return [message, ...(shows ? [`The last failure: ${failure}`] : []), "", ...advice[kind]];
}

function subjectOf(notice: Notice): string {
  const { kind, message, deliveries, key } = notice;
  if (isTest(notice)) return "A test of your notices";
  switch (kind) {
    case "webhook.failing":
      return `Your webhook is failing: ${/\d+(?= times in a row)/u.exec(message)?.[0] ?? "several"} attempts in a row`;
    case "webhook.switched_off":
      return "Your webhook was disabled";
    case "webhook.removed":
      return "Your webhook was removed";
    case "webhook.recovered":
      return "Your webhook works again";
    case "delivery.failed":
      return `Deliveries of your webhook have failed: ${deliveries?.count ?? 1}`;
    case "key.expiring":
      return `Your API key ends soon: ${key?.name ?? ""}`;
  }
}

function linkLines(url: string | undefined): readonly string[] {
  return url === undefined ? [] : ["", url];
}

/** Sent once, instead of the first mail above the limit. */
export function toSummaryMail({
  notices,
  resumesAt,
  ...mail
}: MailOptions & { readonly resumesAt: number }): Mail {
  const latest = notices.at(-1) ?? notices[0];
  return toMail(mail.to, "There are more messages about your webhooks", [
    `In the last 24 hours we sent you ${maximumMails} mails about your webhooks. There are more messages, and we do not send each of them.`,
    "The developer console shows which of your webhooks are failing, disabled or removed. Please look there.",
    "",
    `The latest message: ${subjectOf(latest)}.`,
    latest.message,
    "",
    `You will get mails about your webhooks again after ${toMinute(resumesAt)}.`,
    ...linkLines(mail.consoleUrl && `${mail.consoleUrl}#/webhooks`),
    ...stopLines(mail.stopUrl),
  ]);
}

/** @example toMinute(0) // "1970-01-01 00:00 UTC" */
function toMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Sends mails. The reference server uses SMTP. */
export interface Mailer {
  /**
   * After an error the mail is retried after 5 s, 1 min and 10 min, then every hour for a day. Errors are logged.
   * A crash may repeat a mail that was being sent.
   */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
