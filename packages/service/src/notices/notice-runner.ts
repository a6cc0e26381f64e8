import { setImmediate as nextTurn } from "node:timers/promises";
import { endsWithin, listFailedDeliveries } from "@hookwright/delivery";
import type { Clock, FailedDeliveries, Worker } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { LogFields, Notice, OnError, WriteLogLine } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { ServiceContext } from "../context.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import type { ApiKeyRow } from "../rows/credential-rows.ts";
import { keys, noticesOf, noticeTable, operator } from "../rows/keys.ts";
import { parseNoticeEndpoint } from "../rows/notice-endpoint-row.ts";
import { parseNoticeRow, program, toNoticeMutation } from "../rows/notice-row.ts";
import type { HandOver, NoticeRow } from "../rows/notice-row.ts";
import { parseNoticeTargets } from "../rows/notice-targets-row.ts";
import { queueNotice } from "./endpoints.ts";
import { countMail, mailPeriodMs } from "./mail-limit.ts";
import type { MailDecision } from "./mail-limit.ts";
import { stopsNotices } from "./notice-targets.ts";
import { createLinkTokens } from "../secrets/link-tokens.ts";
import type { ServerKeys } from "../secrets/server-keys.ts";
import type { Mailer } from "./notice-mail.ts";
import { toNoticeMail, toSummaryMail } from "./notice-mail.ts";

/** Called with each notice. It may be called again with the same id after an error, or after a crash. */
export type OnNotice = (notice: Notice) => Promise<void> | void;

export interface NoticeRunnerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  readonly newId: ServiceContext["newId"];
  /** The worker of this process. A notice is handed over only where the worker leases its partition. */
  readonly worker: Pick<Worker, "fence" | "heldPartitions" | "delivers" | "offer">;
  readonly mailer: Mailer;
  /** Seals the links that stop mails. */
  readonly serverKeys: Pick<ServerKeys, "box" | "seal">;
  /** @default the program is not told */
  readonly onNotice?: OnNotice | undefined;
  /** The URL of the console, for links. @default no links */
  readonly consoleUrl?: string | undefined;
  /** How long finally failed deliveries of a webhook are collected before they are one notice. @default 5 minutes */
  readonly groupMs?: number | undefined;
  /** Time between two checks for acquired partitions, in milliseconds. @default 1,000 */
  readonly intervalMs?: number | undefined;
  readonly log: WriteLogLine;
  readonly onError: OnError;
}

/** Hands the notices of the partitions that the worker of this process leases to everybody who wants them. */
export interface NoticeRunner extends AsyncDisposable {
  start(): void;
  /** There is a new notice of the account. */
  wake(accountId: string): void;
  /** Starts nothing more, and waits up to a second for calls in progress. What is left stays in the store. */
  close(): Promise<void>;
}

/** After these pauses, a call that failed is repeated every hour. */
const firstRetriesMs = [5_000, 60_000, 600_000];
const hourMs = 3_600_000;
/** Nobody is told about something older. */
const giveUpAfterMs = 24 * hourMs;
/** The timeout of one call. */
const callMs = 60_000;
/** Accounts whose calls run at once. */
const maximumCalling = 8;
/** Time between two scans of all held partitions. Notifications, new leases and calls that are due cause earlier ones. */
const scanMs = 60_000;
const pauseMs = 10_000;
const closeMs = 1_000;

const nothing = { checks: [], mutations: [] };

/** A notice in the store. */
interface Stored {
  readonly key: Key;
  text: string;
  row: NoticeRow;
}

/** The lease was lost, or another process has changed the row. Whoever holds the lease continues. */
class LostNotice extends Error {
  override readonly name = "LostNotice";
}

/**
 * A notice is a row from the commit in which something happened until everybody has it, so a crash loses none. In the commit that first
 * touches it, the row gets the list of calls to make. Each call that ends leaves the list, and the last one removes the row.
 */
export function createNoticeRunner(options: NoticeRunnerOptions): NoticeRunner {
  const { store, clock, now, worker, mailer, onNotice, consoleUrl, log, onError } = options;
  const { groupMs = 300_000, intervalMs = 1_000 } = options;
  const stops = createLinkTokens(options.serverKeys, stopsNotices);
  /** When each held partition is scanned next. */
  const scans = new Map<string, number>();
  /** Accounts with calls in progress or waiting for their turn. */
  const calling = new Set<string>();
  const turns: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  let isClosed = false;
  let cancelTimer = (): void => {};
  let unwatch = (): void => {};
  let working: Promise<void> | undefined;
  let isWoken = false;

  function scanAt(partition: string, at: number): void {
    scans.set(partition, Math.min(scans.get(partition) ?? at, at));
  }

  function nextScanMs(): number {
    return Math.min(...scans.values()) - now();
  }

  function wakePartition(partition: string): void {
    scanAt(partition, 0);
    isWoken = true;
    work();
  }

  function work(): void {
    if (isClosed || working !== undefined) return;
    cancelTimer();
    isWoken = false;
    working = scanDue().finally(() => {
      working = undefined;
      if (isClosed) return;
      if (isWoken) work();
      else cancelTimer = clock.schedule(work, Math.max(1, Math.min(intervalMs, nextScanMs())));
    });
  }

  async function scanDue(): Promise<void> {
    const held = new Set(worker.heldPartitions());
    for (const partition of scans.keys()) if (!held.has(partition)) scans.delete(partition);
    for (const partition of held) {
      if (isClosed) return;
      if ((scans.get(partition) ?? 0) > now()) continue;
      scans.set(partition, now() + scanMs);
      try {
        await scan(partition);
      } catch (error) {
        if (error instanceof LostNotice) {
          scanAt(partition, now() + 1_000);
          continue;
        }
        scans.set(partition, now() + pauseMs);
        onError(error, { partition, code: "notices_not_read" });
      }
      // A store that reads in this thread never waits.
      await nextTurn();
    }
  }

  async function scan(partition: string): Promise<void> {
    for await (const failed of listFailedDeliveries(store, partition)) {
      const dueAt = (failed.row?.first_at ?? 0) + groupMs;
      if (dueAt > now()) scanAt(partition, dueAt);
      else await toNotice(failed);
    }
    const byAccount = new Map<string, Stored[]>();
    for await (const entries of listPages(store, { prefix: keys.noticesIn(partition) }))
      for (const { key, value } of entries) {
        const accountId = String(key[2]);
        if (calling.has(accountId)) continue;
        const row = tryToParse(value);
        if (row === undefined) {
          await commit(accountId, [{ key, value }], [{ type: "delete", key }]);
          onError(new Error("the row of a notice is damaged"), {
            account_id: accountId,
            notice_id: String(key.at(-1)),
            code: "notices_not_read",
          });
          continue;
        }
        if (row.at > now()) {
          scanAt(partition, row.at);
          continue;
        }
        const stored = { key, text: value, row };
        if (stored.row.left === undefined) await begin(stored);
        if (stored.text !== "") byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), stored]);
      }
    for (const [accountId, notices] of byAccount) enqueue(accountId, notices);
  }

  /** Makes a notice of the deliveries of a webhook that have failed. */
  async function toNotice({ entry, accountId, webhookId, row }: FailedDeliveries): Promise<void> {
    const mutations: Mutation[] = [{ type: "delete", key: entry.key }];
    if (row !== undefined) {
      const { target_url, events, count, first_at, last_at, last_delivery, last_failure } = row;
      const what = count === 1 ? "A delivery" : `${count} deliveries`;
      mutations.push(
        toNoticeMutation(options, accountId, {
          kind: "delivery.failed",
          message: `${what} to ${target_url} (${webhookId}) ${count === 1 ? "has" : "have"} finally failed.`,
          webhook: { id: webhookId, target_url, events: [...events] },
          last_failure,
          deliveries: {
            count,
            first_at: toTimestamp(first_at),
            last_at: toTimestamp(last_at),
            last_id: last_delivery,
          },
        }),
      );
    }
    await commit(accountId, [{ key: entry.key, value: entry.value }], mutations);
  }

  /** @throws LostNotice */
  async function commit(accountId: string, checks: readonly Check[], mutations: Mutation[]): Promise<void> {
    const fence = worker.fence(accountId);
    if (fence === undefined) throw new LostNotice();
    const committed = await store.commit(partitionOf(accountId), { checks: [fence, ...checks], mutations });
    if (!committed.ok) throw new LostNotice();
  }

  /** Queues a notice for the URLs that get it, and lists who else does. A repetition queues nothing twice. */
  async function begin(stored: Stored): Promise<void> {
    const { notice } = stored.row;
    const { account_id: accountId, kind } = notice;
    const [account, text] = await store.getMany([keys.account(accountId), keys.noticeTargets(accountId)]);
    const { only } = stored.row;
    if (notice.key !== null && !(await isKept(accountId, notice.key.id))) return save([{ stored, left: [] }]);
    const targets =
      account === undefined
        ? []
        : parseNoticeTargets(text).filter(({ id, kinds }) =>
            only === undefined ? kinds.includes(kind) : id === only,
          );
    if (only === undefined) {
      const endpoint = parseNoticeEndpoint(await store.get(keys.noticeEndpoint()));
      if (endpoint?.kinds.includes(kind) === true)
        await queueNotice(options, notice, { owner: operator, id: endpoint.id, isChat: false });
    }
    for (const { id, type } of targets.filter((each) => each.type !== "email"))
      await queueNotice(options, notice, { owner: noticesOf(accountId), id, isChat: type === "chat" });
    const mails = targets.filter(({ type }) => type === "email");
    const hasProgram = onNotice !== undefined && only === undefined;
    const names = [...(hasProgram ? [program] : []), ...mails.map(({ id }) => id)];
    await save([{ stored, left: names.map((to) => ({ to, due_at: now(), tries: 0 })) }]);
  }

  /** Whether a key was neither revoked nor removed. */
  async function isKept(accountId: string, keyId: string): Promise<boolean> {
    const text = await store.get(keys.apiKey(accountId, keyId));
    if (text === undefined) return false;
    const { revoked_at: revokedAt }: ApiKeyRow = JSON.parse(text);
    return revokedAt === null;
  }

  /** Stores who is left of each notice. Nobody: the notice is removed. */
  async function save(
    changes: readonly { readonly stored: Stored; readonly left: readonly HandOver[] }[],
    also: { readonly checks: readonly Check[]; readonly mutations: readonly Mutation[] } = nothing,
  ): Promise<void> {
    const [first] = changes;
    if (first === undefined) return;
    const rows = changes.map(({ stored, left }) => ({ ...stored.row, left }));
    const texts = rows.map((row) => (row.left.length === 0 ? "" : JSON.stringify(row)));
    await commit(
      first.stored.row.notice.account_id,
      [...changes.map(({ stored: { key, text } }) => ({ key, value: text })), ...also.checks],
      [
        ...changes.map(({ stored: { key } }, index): Mutation => {
          const value = texts[index] ?? "";
          return value === "" ? { type: "delete", key } : { type: "set", key, value };
        }),
        ...also.mutations,
      ],
    );
    changes.forEach(({ stored }, index) => {
      stored.row = rows[index] ?? stored.row;
      stored.text = texts[index] ?? "";
    });
  }

  function enqueue(accountId: string, notices: readonly Stored[]): void {
    const [partition] = keys.noticeTargets(accountId);
    const dueAts = notices.flatMap(({ row }) => (row.left ?? []).map((each) => each.due_at));
    const dueAt = Math.min(...dueAts);
    if (dueAt > now()) return scanAt(partition, dueAt);
    calling.add(accountId);
    turns.push(async () => {
      let mayGoOn = true;
      try {
        await call(accountId, notices);
      } catch (error) {
        mayGoOn = error instanceof LostNotice;
        if (!mayGoOn) onError(error, { account_id: accountId, code: "notices_not_read" });
      }
      calling.delete(accountId);
      // There may be more by now.
      if (mayGoOn) wakePartition(partition);
      else scanAt(partition, now() + pauseMs);
    });
    nextTurns();
  }

  function nextTurns(): void {
    while (!isClosed && running.size < maximumCalling) {
      const turn = turns.shift();
      if (turn === undefined) return;
      const done = turn().finally(() => {
        running.delete(done);
        nextTurns();
      });
      running.add(done);
    }
  }

  /** Makes the calls for one account that are due, one after the other. */
  async function call(accountId: string, notices: readonly Stored[]): Promise<void> {
    const isDue = ({ row }: Stored, to: string) =>
      row.left?.some((each) => each.to === to && each.due_at <= now()) ?? false;
    for (const stored of notices.filter((each) => isDue(each, program)))
      await attempt([stored], program, async () => onNotice?.(stored.row.notice));
    const targets = new Set(notices.flatMap(({ row }) => (row.left ?? []).map(({ to }) => to)));
    targets.delete(program);
    for (const to of targets) {
      const due = notices.filter((each) => isDue(each, to));
      // Those that were counted together are sent together again.
      for (const group of Map.groupBy(due, (each) => JSON.stringify(leftOf(each, to)?.counted)).values())
        await mail(accountId, to, group);
    }
  }

  async function mail(accountId: string, to: string, group: readonly Stored[]): Promise<void> {
    // Reads the address for each attempt, because it may have changed.
    const [account, text] = await store.getMany([keys.account(accountId), keys.noticeTargets(accountId)]);
    const target = parseNoticeTargets(text).find(({ id }) => id === to);
    if (account === undefined || target === undefined) return finish(group, to);
    const address = target.to ?? parseAccountRow(account).email;
    const counted = group[0] && leftOf(group[0], to)?.counted;
    const all = group.map(({ row }) => row.notice);
    const decision =
      counted === undefined
        ? await count(accountId, { to, address }, group)
        : { sent: all, resumesAt: counted.resumes_at, held: [] };
    for (const { notice, reason } of decision.held) log("mail_held_back", { ...describe(notice), reason });
    const [first, ...others] = decision.sent;
    if (first === undefined) return;
    const stopUrl =
      consoleUrl === undefined ? undefined : `${consoleUrl}#/stop/${await stops.seal(`${accountId} ${to}`)}`;
    const mailed = { to: address, notices: [first, ...others] as const, consoleUrl, stopUrl };
    const { resumesAt } = decision;
    const sent = group.filter(({ row }) => decision.sent.some(({ id }) => id === row.notice.id));
    await attempt(sent, to, () =>
      mailer.send(resumesAt === null ? toNoticeMail(mailed) : toSummaryMail({ ...mailed, resumesAt })),
    );
  }

  /** Counts a mail, and remembers that in its notices. */
  async function count(
    accountId: string,
    { to, address }: { readonly to: string; readonly address: string },
    group: readonly Stored[],
  ): Promise<MailDecision> {
    const key = keys.mailCount(accountId, address);
    const text = await store.get(key);
    const at = now();
    const all = group.map(({ row }) => row.notice);
    const { decision, row: value } = countMail(text, all, at);
    const sent = new Set(decision.sent.map(({ id }) => id));
    const counted = { resumes_at: decision.resumesAt };
    const changes = group.map((stored) => {
      const left = (stored.row.left ?? []).flatMap((each) =>
        each.to !== to ? [each] : sent.has(stored.row.notice.id) ? [{ ...each, counted }] : [],
      );
      return { stored, left };
    });
    const expiresAt = at + mailPeriodMs;
    await save(
      changes,
      value === undefined
        ? nothing
        : { checks: [{ key, value: text }], mutations: [{ type: "set", key, value, expiresAt }] },
    );
    return decision;
  }

  async function attempt(group: readonly Stored[], to: string, make: () => Promise<void>): Promise<void> {
    if (isClosed) return;
    let error: unknown;
    const onFault = (thrown: unknown): void => void (error = thrown);
    const work = (async () => make())();
    if (await endsWithin(work, { clock, ms: callMs, onFault })) return finish(group, to);
    error ??= new Error(`no answer within ${callMs} ms`);
    await save(group.map((stored) => ({ stored, left: toRetry(stored, to, error) })));
  }

  /** Who is left after a call failed. */
  function toRetry({ row }: Stored, to: string, error: unknown): readonly HandOver[] {
    const { left = [], at, notice } = row;
    return left.flatMap((each) => {
      if (each.to !== to) return [each];
      const tries = each.tries + 1;
      const delayMs = firstRetriesMs[tries - 1] ?? hourMs;
      const dueAt = now() + delayMs;
      const fields = { ...describe(notice), tries, error };
      const isMail = to !== program;
      if (dueAt - at > giveUpAfterMs) {
        log(isMail ? "mail_not_sent" : "notice_not_handled", fields);
        return [];
      }
      log(isMail ? "mail_retried" : "notice_retried", { ...fields, again_in_ms: delayMs });
      return [{ ...each, due_at: dueAt, tries }];
    });
  }

  async function finish(group: readonly Stored[], to: string): Promise<void> {
    await save(
      group.map((stored) => ({
        stored,
        left: (stored.row.left ?? []).filter((each) => each.to !== to),
      })),
    );
  }

  async function close(): Promise<void> {
    isClosed = true;
    cancelTimer();
    unwatch();
    const ends = Promise.all([working, ...running]);
    await endsWithin(ends, { clock, ms: closeMs, onFault: () => {} });
  }

  return {
    start() {
      unwatch = store.watch((notified) => {
        const named = notified?.filter(([, table]) => table === noticeTable).map(([partition]) => partition);
        for (const partition of named ?? worker.heldPartitions()) wakePartition(partition);
      });
      work();
    },
    wake: (accountId) => wakePartition(partitionOf(accountId)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function tryToParse(text: string): NoticeRow | undefined {
  try {
    return parseNoticeRow(text);
  } catch {
    return undefined;
  }
}

function leftOf({ row }: Stored, to: string): HandOver | undefined {
  return row.left?.find((each) => each.to === to);
}

function describe({ id, account_id, kind, webhook }: Notice): LogFields {
  return { account_id, webhook_id: webhook?.id, notice: kind, notice_id: id };
}
