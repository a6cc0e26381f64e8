import { createHash } from "node:crypto";
import type { Notice } from "@hookwright/domain";

export interface MailDecision {
  /** The notices to send. */
  readonly sent: readonly Notice[];
  /** When they are due, because mails were sent shortly before. Null: now. */
  readonly dueAt: number | null;
  /** The earliest time of the next mail. A summary is sent instead of the first mail above the limit. Null: the mail itself is sent. */
  readonly resumesAt: number | null;
  /** The others. */
  readonly held: readonly { readonly notice: Notice; readonly reason: HeldBackReason }[];
}

/** `already_warned`: there was a warning for the same events and URL, even if that webhook was removed since. */
export type HeldBackReason = "limit_reached" | "already_warned";

/** Mails in any 24 hours, without the summary. */
export const maximumMails = 10;
/** Mails in any 24 hours that are sent at once. */
const maximumPrompt = 5;
/** After these, what happens within this time of the last mail is one mail. */
const collectMs = 300_000;
/** The row of an address expires after this time. */
export const mailPeriodMs = 24 * 60 * 60 * 1_000;

export interface AskedMail {
  readonly notices: readonly Notice[];
  /** Somebody waits for it. */
  readonly isTest: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface MailsRow {
  readonly mails: readonly SentMail[];
  readonly summary_at: number | null;
}

interface SentMail {
  readonly at: number;
  /** The endpoints of its warnings. */
  readonly warned: readonly string[];
}

/**
 * Decides about one mail with several notices. The caller stores the row in the commit that remembers the decision, so a crash neither
 * counts a mail twice nor holds back one that was not sent.
 *
 * One small row per account and address stores the mails of the last 24 hours. Mails of other accounts to the same address do not count:
 * otherwise an account could silence another one. Warnings are stored by events and URL, because a webhook that is removed and created
 * again has a new id.
 *
 * @param text the row before. @returns `row` is undefined if nothing is counted
 */
export function countMail(
  text: string | undefined,
  asked: AskedMail,
): { readonly decision: MailDecision; readonly row?: string } {
  const { decision, row } = decide(parseRow(text), asked);
  return row === undefined ? { decision } : { decision, row: JSON.stringify(row) };
}

/** Mails in any 24 hours that ask for a confirmation. Those to addresses that were removed since count too. */
const maximumConfirmations = 10;
const maximumConfirmationsOfAddress = 3;

interface SentConfirmation {
  readonly at: number;
  readonly to: string;
}

/**
 * Counts a mail that asks for a confirmation. Undefined: one of the limits is reached.
 *
 * @param text the row before. @returns the row after
 */
export function countConfirmation(
  text: string | undefined,
  address: string,
  now: number,
): string | undefined {
  const stored: readonly SentConfirmation[] = text === undefined ? [] : JSON.parse(text);
  const sent = stored.filter(({ at }) => isWithinPeriod(at, now));
  const to = shorten(address);
  const ofAddress = sent.filter((each) => each.to === to);
  if (sent.length >= maximumConfirmations || ofAddress.length >= maximumConfirmationsOfAddress)
    return undefined;
  return JSON.stringify([...sent, { at: now, to }]);
}

function decide(
  { mails: stored, summary_at: summaryAt }: MailsRow,
  { notices, isTest, now }: AskedMail,
): { readonly decision: MailDecision; readonly row?: MailsRow } {
  const mails = stored.filter(({ at }) => isWithinPeriod(at, now));
  const known = new Set(mails.flatMap(({ warned }) => warned));
  const warned: string[] = [];
  const sent: Notice[] = [];
  const held: { notice: Notice; reason: HeldBackReason }[] = [];
  for (const notice of notices) {
    // The test of a target is about no webhook.
    const { kind, webhook } = notice;
    const endpoint = kind === "webhook.failing" && webhook !== null ? fingerprint(webhook) : undefined;
    if (endpoint !== undefined && known.has(endpoint)) held.push({ notice, reason: "already_warned" });
    else sent.push(notice);
    if (endpoint === undefined || known.has(endpoint)) continue;
    known.add(endpoint);
    warned.push(endpoint);
  }
  const decision = { sent, dueAt: null, resumesAt: null, held };
  if (sent.length === 0) return { decision };
  const isFull = mails.length >= maximumMails;
  if (isFull && summaryAt !== null && isWithinPeriod(summaryAt, now)) {
    const late = sent.map((notice) => ({ notice, reason: "limit_reached" as const }));
    return { decision: { ...decision, sent: [], held: [...held, ...late] } };
  }
  const times = mails.map(({ at }) => at);
  const last = Math.max(...times);
  if (!isTest && mails.length >= maximumPrompt && Math.abs(now - last) < collectMs)
    return { decision: { ...decision, dueAt: last + collectMs } };
  if (!isFull) return { decision, row: { mails: [...mails, { at: now, warned }], summary_at: summaryAt } };
  const resumesAt = Math.min(...times) + mailPeriodMs;
  return { decision: { ...decision, resumesAt }, row: { mails, summary_at: now } };
}

/** Compares the absolute difference: after the clock was set back, later times must not count for longer than a day. */
function isWithinPeriod(at: number, now: number): boolean {
  return Math.abs(now - at) < mailPeriodMs;
}

function parseRow(text: string | undefined): MailsRow {
  return text === undefined ? { mails: [], summary_at: null } : JSON.parse(text);
}

function fingerprint({ target_url, events }: NonNullable<Notice["webhook"]>): string {
  const url = new URL(target_url);
  // The fragment does not distinguish endpoints, as when a webhook is created.
  url.hash = "";
  return shorten(`${events.join(" ")} ${url.href}`);
}

function shorten(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
