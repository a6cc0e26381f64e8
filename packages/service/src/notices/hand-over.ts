import { endsWithin } from "@hookwright/delivery";
import type { Clock, Worker } from "@hookwright/delivery";
import type { BodyForm, LogCode, LogFields, Notice, WriteLogLine } from "@hookwright/domain";
import type { Check, Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import type { ApiKeyRow } from "../rows/credential-rows.ts";
import { keys, noticesOf, operator } from "../rows/keys.ts";
import { parseNoticeEndpoint } from "../rows/notice-endpoint-row.ts";
import { everybody, program } from "../rows/notice-row.ts";
import type { HandOver, StoredNoticeRow } from "../rows/notice-row.ts";
import { parseNoticeTargets } from "../rows/notice-targets-row.ts";
import { createLinkTokens } from "../secrets/link-tokens.ts";
import type { ServerKeys } from "../secrets/server-keys.ts";
import { queueNotice } from "./notice-webhooks.ts";
import { countMail, mailPeriodMs } from "./mail-limit.ts";
import type { MailDecision } from "./mail-limit.ts";
import { toNoticeMail, toSummaryMail } from "./notice-mail.ts";
import type { Mailer } from "./notice-mail.ts";
import { stopsNotices } from "./notice-targets.ts";
import { NotStored } from "./stored-notices.ts";
import type { Stored, StoredNotices } from "./stored-notices.ts";

/** Called with each notice. It may be called again with the same id after an error, or after a crash. */
export type OnNotice = (notice: Notice) => Promise<void> | void;

export interface HandOverOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  /** The worker of this process. A notice is handed over only where the worker leases its partition. */
  readonly worker: Pick<Worker, "fence" | "heldPartitions" | "delivers" | "offer">;
  readonly mailer: Mailer;
  /** Seals the links that stop mails. */
  readonly serverKeys: Pick<ServerKeys, "box" | "seal">;
  /** @default the program is not told */
  readonly onNotice?: OnNotice | undefined;
  /** The form of signed notices. @default "hookwright" */
  readonly bodyForm?: BodyForm | undefined;
  /** Mails are sent at multiples of this time: what happens within it is one mail, such as when an endpoint with many webhooks fails. @default 1 second */
  readonly togetherMs?: number | undefined;
  /** The URL of the console, for links. @default no links */
  readonly consoleUrl?: string | undefined;
  readonly log: WriteLogLine;
}

/** After these pauses, a call that failed is repeated every hour. */
const firstRetriesMs = [5_000, 60_000, 600_000];
const hourMs = 3_600_000;
/** A call that has failed for so long is not repeated. */
const giveUpAfterMs = 24 * hourMs;
/** The timeout of one call. */
const callMs = 60_000;

/** Makes the due calls of one account. It ends with `false` if one was not answered in time: the others have to wait. */
type Call = (accountId: string, due: readonly Stored[]) => Promise<boolean>;

/** Calls of one kind. They run beside those of other kinds, so each must leave the recipients of the others alone. */
export interface Calls {
  readonly isOwn: (to: string) => boolean;
  readonly call: Call;
}

/**
 * Makes the calls of notices. Each call that succeeds leaves the list of its notice. Each error counts as an attempt.
 *
 * @throws NotStored and errors of the store
 */
export function createHandOver(
  options: HandOverOptions,
  notices: StoredNotices,
  fenceOf: (accountId: string) => Check | undefined,
): readonly Calls[] {
  const { store, clock, now, mailer, onNotice, togetherMs = 1_000, consoleUrl, log } = options;
  const stops = createLinkTokens(options.serverKeys, stopsNotices);

  /**
   * The fence is read before the call, so that a call that has started is recorded while the partition drains.
   *
   * @param make returns who gets the notice instead
   */
  async function attempt(
    accountId: string,
    group: readonly Stored[],
    to: string,
    make: (fence: Check) => Promise<readonly HandOver[]>,
  ): Promise<boolean> {
    const fence = fenceOf(accountId);
    if (fence === undefined) throw new NotStored();
    let error: unknown;
    let next: readonly HandOver[] = [];
    const work = (async () => void (next = await make(fence)))();
    const isDone = await endsWithin(work, { clock, ms: callMs, onFault: (thrown) => void (error = thrown) });
    if (error instanceof NotStored) throw error;
    const failure = error ?? new Error(`no answer within ${callMs} ms`);
    await notices.change(accountId, fence, group, (row) =>
      row.left.flatMap((each) => (each.to !== to ? [each] : isDone ? next : retry(row, each, failure))),
    );
    return isDone || error !== undefined;
  }

  /** Who is left after a call failed. */
  function retry({ notice }: StoredNoticeRow, failed: HandOver, error: unknown): readonly HandOver[] {
    const { tries: before, since = now() } = failed;
    const tries = before + 1;
    const delayMs = firstRetriesMs[tries - 1] ?? hourMs;
    const dueAt = now() + delayMs;
    const fields = { ...describe(notice), tries, error };
    const [retried, givenUp] = logCodesOf(failed.to);
    if (dueAt - since > giveUpAfterMs) {
      log(givenUp, fields);
      return [];
    }
    log(retried, { ...fields, again_in_ms: delayMs });
    return [{ ...failed, due_at: dueAt, tries, since }];
  }

  /** Queues notices for the URLs that get them, and lists who else does. A repetition queues nothing twice. */
  const begin: Call = async (accountId, due) => {
    for (const stored of due)
      if (!(await attempt(accountId, [stored], everybody, () => listReceivers(stored.row)))) return false;
    return true;
  };

  async function listReceivers({ notice, only }: StoredNoticeRow): Promise<readonly HandOver[]> {
    const { account_id: accountId, kind } = notice;
    const [account, text] = await store.getMany([keys.account(accountId), keys.noticeTargets(accountId)]);
    if (account === undefined) return [];
    if (notice.key !== null && !(await isKept(accountId, notice.key.id))) return [];
    const targets = parseNoticeTargets(text).filter(({ id, kinds }) =>
      only === undefined ? kinds.includes(kind) : id === only,
    );
    if (only === undefined) {
      const endpoint = parseNoticeEndpoint(await store.get(keys.noticeEndpoint()));
      if (endpoint?.kinds.includes(kind) === true)
        await queueNotice(options, notice, { owner: operator, id: endpoint.id, isChat: false });
    }
    for (const { id, type } of targets.filter((each) => each.type !== "email"))
      await queueNotice(options, notice, { owner: noticesOf(accountId), id, isChat: type === "chat" });
    const mails = targets.filter(({ type }) => type === "email").map(({ id }) => id);
    const mailedAt = Math.ceil(now() / togetherMs) * togetherMs;
    const toMails = mails.map((to) => ({ to, due_at: mailedAt, tries: 0 }));
    const isTold = onNotice !== undefined && only === undefined;
    return isTold ? [{ to: program, due_at: now(), tries: 0 }, ...toMails] : toMails;
  }

  /** Whether a key was neither revoked nor removed. */
  async function isKept(accountId: string, keyId: string): Promise<boolean> {
    const text = await store.get(keys.apiKey(accountId, keyId));
    if (text === undefined) return false;
    const { revoked_at: revokedAt }: ApiKeyRow = JSON.parse(text);
    return revokedAt === null;
  }

  const tell: Call = async (accountId, due) => {
    const triesOf = ({ row }: Stored): number => leftOf(row, program)?.tries ?? 0;
    // A call that is never answered must not delay the others.
    for (const stored of due.toSorted((one, other) => triesOf(one) - triesOf(other))) {
      const isAnswered = await attempt(accountId, [stored], program, async () => {
        await onNotice?.(stored.row.notice);
        return [];
      });
      if (!isAnswered) return false;
    }
    return true;
  };

  const mail: Call = async (accountId, due) => {
    const isDue = ({ to, due_at: at }: HandOver): boolean => isMailed(to) && at <= now();
    const targets = new Set(due.flatMap(({ row }) => row.left.filter(isDue).map(({ to }) => to)));
    for (const to of targets) {
      const own = due.filter(({ row }) => row.left.some((each) => each.to === to && isDue(each)));
      // Those that were counted together are sent together again.
      for (const group of Map.groupBy(own, ({ row }) => JSON.stringify(leftOf(row, to)?.counted)).values())
        if (!(await attempt(accountId, group, to, (fence) => sendMail(accountId, to, group, fence))))
          return false;
    }
    return true;
  };

  /** Reads the address for each attempt, because it may have changed. */
  async function sendMail(
    accountId: string,
    to: string,
    group: readonly Stored[],
    fence: Check,
  ): Promise<readonly HandOver[]> {
    const [account, text] = await store.getMany([keys.account(accountId), keys.noticeTargets(accountId)]);
    const target = parseNoticeTargets(text).find(({ id }) => id === to);
    if (account === undefined || target === undefined) return [];
    const address = target.to ?? parseAccountRow(account).email;
    const counted = group[0] && leftOf(group[0].row, to)?.counted;
    const all = group.map(({ row }) => row.notice);
    const decision =
      counted === undefined
        ? await count(accountId, { to, address }, group, fence)
        : { sent: all, dueAt: null, resumesAt: counted.resumes_at, held: [] };
    for (const { notice, reason } of decision.held) log("mail_held_back", { ...describe(notice), reason });
    const [first, ...others] = decision.sent;
    if (first === undefined) return [];
    if (decision.dueAt !== null) return [{ to, due_at: decision.dueAt, tries: 0 }];
    const stopUrl =
      consoleUrl === undefined ? undefined : `${consoleUrl}#/stop/${await stops.seal(`${accountId} ${to}`)}`;
    const mailed = { to: address, notices: [first, ...others] as const, consoleUrl, stopUrl };
    const { resumesAt } = decision;
    await mailer.send(resumesAt === null ? toNoticeMail(mailed) : toSummaryMail({ ...mailed, resumesAt }));
    return [];
  }

  /** Counts a mail, and remembers that in its notices. Those that are held back leave it. */
  async function count(
    accountId: string,
    { to, address }: { readonly to: string; readonly address: string },
    group: readonly Stored[],
    fence: Check,
  ): Promise<MailDecision> {
    const key = keys.mailCount(accountId, address);
    const text = await store.get(key);
    const at = now();
    const all = group.map(({ row }) => row.notice);
    const isTest = group.some(({ row }) => row.only !== undefined);
    const { decision, row: value } = countMail(text, { notices: all, isTest, now: at });
    const sent = new Set(decision.sent.map(({ id }) => id));
    const { dueAt, resumesAt } = decision;
    const kept = dueAt === null ? { counted: { resumes_at: resumesAt } } : { due_at: dueAt };
    const expiresAt = at + mailPeriodMs;
    await notices.change(
      accountId,
      fence,
      group,
      ({ notice, left }) =>
        left.flatMap((each) => (each.to !== to ? [each] : sent.has(notice.id) ? [{ ...each, ...kept }] : [])),
      value === undefined
        ? undefined
        : { checks: [{ key, value: text }], mutations: [{ type: "set", key, value, expiresAt }] },
    );
    return decision;
  }

  return [
    { isOwn: (to) => to === everybody, call: begin },
    { isOwn: (to) => to === program, call: tell },
    { isOwn: isMailed, call: mail },
  ];
}

function isMailed(to: string): boolean {
  return to !== everybody && to !== program;
}

/** The log lines of a call that is repeated after an error, and of one that is given up. */
function logCodesOf(to: string): readonly [retried: LogCode, givenUp: LogCode] {
  if (isMailed(to)) return ["mail_retried", "mail_not_sent"];
  return [to === program ? "notice_retried" : "notices_not_read", "notice_not_handled"];
}

function leftOf({ left }: StoredNoticeRow, to: string): HandOver | undefined {
  return left.find((each) => each.to === to);
}

function describe({ id, account_id, kind, webhook }: Notice): LogFields {
  return { account_id, webhook_id: webhook?.id, notice: kind, notice_id: id };
}
