import type { FailedDeliveriesRow, WebhookNotice } from "@hookwright/delivery";
import { idsSince, toTimestamp } from "@hookwright/domain";
import type { Notice, NoticeKind } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";

/** A notice that waits to be handed over. Times are in milliseconds. */
export interface NoticeRow {
  readonly notice: Notice;
  /** When it is due. */
  readonly at: number;
  /** The id of the only target that gets it: it is a test. */
  readonly only?: string;
  /** The recipients that still wait for it. Absent: they are not known yet. */
  readonly left?: readonly HandOver[];
}

/** A call that is outside the store, so it may be repeated after a crash. */
export interface HandOver {
  /** {@link everybody}, {@link program}, or the id of a target of the account. */
  readonly to: string;
  readonly due_at: number;
  /** How often it has failed. */
  readonly tries: number;
  /** When it failed first. Older versions do not write it. */
  readonly since?: number;
  /** The limit of mails has counted it. Null: as one of its mails, otherwise as the summary, with the time of the next mail. */
  readonly counted?: { readonly resumes_at: number | null };
}

/** The function `onNotice` of the embedding program. */
export const program = "program";

/** Finds out who gets a notice. */
export const everybody = "everybody";

/** A row with who is left, also if nothing was done yet. */
export type StoredNoticeRow = NoticeRow & Required<Pick<NoticeRow, "left">>;

/** Undefined: the row is damaged. */
export function parseNoticeRow(text: string): StoredNoticeRow | undefined {
  try {
    const {
      notice,
      at,
      left = [{ to: everybody, due_at: at, tries: 0 }],
      ...row
    }: NoticeRow = JSON.parse(text);
    const texts: unknown[] = [
      notice.id,
      notice.account_id,
      notice.kind,
      notice.message,
      ...left.map(({ to }) => to),
    ];
    const numbers: unknown[] = [at, ...left.flatMap(({ due_at, tries }) => [due_at, tries])];
    const isWhole =
      texts.every((each) => typeof each === "string") && numbers.every((each) => typeof each === "number");
    return isWhole ? { ...row, notice, at, left } : undefined;
  } catch {
    return undefined;
  }
}

interface Context {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: (prefix: "ntc") => string;
}

type Facts = Pick<Notice, "kind" | "message"> & Partial<Notice>;

export interface NoticeOptions {
  /** When it is handed over. @default now */
  readonly at?: number;
  /** The id of the only target that gets it. @default all get it */
  readonly only?: string;
}

/** Writes a notice. It belongs in the commit of what it tells. */
export function toNoticeMutation(
  { now, newId }: Context,
  accountId: string,
  facts: Facts,
  { at = now(), only }: NoticeOptions = {},
): Mutation & { readonly key: Key } {
  const unset = { webhook: null, last_failure: null, deliveries: null, key: null };
  const ids = { id: newId("ntc"), account_id: accountId, created_at: toTimestamp(at) };
  const notice = { ...ids, ...unset, ...facts };
  const row: NoticeRow = { notice, at, ...(only !== undefined && { only }) };
  return { type: "set", key: keys.notice(accountId, ids.id), value: JSON.stringify(row) };
}

const kinds: Readonly<Record<WebhookNotice["type"], NoticeKind>> = {
  failing: "webhook.failing",
  switched_off: "webhook.switched_off",
  gone: "webhook.removed",
  recovered: "webhook.recovered",
};

/** Writes a notice about what happened to a webhook, for the commit in which it happens. */
export function toWebhookNotice(context: Context, happened: WebhookNotice): Mutation {
  const { type, accountId, webhookId, events, targetUrl, lastFailure } = happened;
  return toNoticeMutation(context, accountId, {
    kind: kinds[type],
    message: describe(happened),
    webhook: { id: webhookId, target_url: targetUrl, events: [...events] },
    last_failure: lastFailure,
  });
}

function describe({ type, webhookId, targetUrl, consecutiveFailures: failures }: WebhookNotice): string {
  const endpoint = `${targetUrl} (${webhookId})`;
  switch (type) {
    case "failing":
      return `Deliveries to ${endpoint} have failed ${failures} times in a row.`;
    case "switched_off":
      return `Deliveries to ${endpoint} have failed ${failures} times in a row, so the webhook was disabled.`;
    case "gone":
      return `Your endpoint answered a delivery to ${endpoint} with 410, so the webhook was removed.`;
    case "recovered":
      return `Your endpoint accepts deliveries to ${endpoint} again.`;
  }
}

/** Writes the notice about deliveries of a webhook that have finally failed. */
export function toFailedNotice(
  context: Context,
  accountId: string,
  webhookId: string,
  row: FailedDeliveriesRow,
): Mutation {
  const { target_url, events, count, first_at, last_at, last_delivery, last_failure } = row;
  const what = count === 1 ? "A delivery" : `${count} deliveries`;
  return toNoticeMutation(context, accountId, {
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
  });
}

const weekMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * Writes the notice that a key ends, for the commit that creates the key. It is handed over a week before, if the key still exists.
 *
 * @returns `isDue`: somebody has to be told now
 */
export function toKeyNotice(
  context: Context,
  accountId: string,
  { id, name, expiresAt }: { readonly id: string; readonly name: string; readonly expiresAt: number },
): { readonly noticeId: string; readonly mutation: Mutation; readonly isDue: boolean } {
  const expires_at = toTimestamp(expiresAt);
  const message = `The API key ${name} (${id}) ends at ${expires_at}.`;
  const facts = { kind: "key.expiring", message, key: { id, name, expires_at } } as const;
  const now = context.now();
  const at = Math.max(now, expiresAt - weekMs);
  // The id is of the time at which it is handed over: what is not due sorts after everything else, and lists stay newest first.
  const newId = (prefix: "ntc"): string =>
    idsSince(prefix, at) + context.newId(prefix).slice(idsSince(prefix, at).length);
  const mutation = toNoticeMutation({ ...context, newId }, accountId, facts, { at });
  return { noticeId: String(mutation.key.at(-1)), mutation, isDue: at === now };
}
