import {
  eventsOf,
  findRemovedWebhook,
  hasAccepted,
  listRemovedWebhooks,
  rateOf,
  readSigningSecrets,
  readWaiting,
  readWebhookHealth,
} from "@hookwright/delivery";
import type { RemovedWebhookRow, WebhookHealthRow, WebhookRow } from "@hookwright/delivery";
import { isHostId, maximumMissed, maximumWaiting, toTimestamp } from "@hookwright/domain";
import type { ConsoleWebhook, Webhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { countMissed } from "../rows/missed-events.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListContext, OpenedCursor } from "../store/page-cursor.ts";
import type { Page, PageRequest } from "../use-cases.ts";
import { listNewestWebhooks, stoppedSince } from "./find-webhooks.ts";
import { noSuch } from "./no-such.ts";

/** Webhooks as the API shows them, with the counters of the worker. */
export async function readWebhooks(
  store: Store,
  accountId: string,
  rows: readonly WebhookRow[],
): Promise<Webhook[]> {
  const health = await readWebhookHealth(
    store,
    accountId,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row, index) => {
    const counters = health[index];
    return counters === undefined ? [] : [toWebhook(row, counters)];
  });
}

export function toWebhook(row: WebhookRow, health: WebhookHealthRow): Webhook {
  return {
    id: row.id,
    ...toEventFields(row),
    target_url: row.target_url,
    project_id: row.project_id,
    // The public API has three statuses (contract: Webhooks).
    status: row.status === "disabled_by_host" ? "switched_off" : row.status,
    consecutive_failures: health.consecutive_failures,
    last_success_at: toTimestampOrNull(health.last_success_at),
    last_failure_at: toTimestampOrNull(health.last_failure_at),
    created_at: toTimestamp(row.created_at),
  };
}

/** Only a webhook with one event has it in `event`. */
function toEventFields(row: Pick<WebhookRow, "event" | "events">): Pick<Webhook, "event" | "events"> {
  const events = [...eventsOf(row)];
  return { event: events.length === 1 ? String(events[0]) : "*", events };
}

/**
 * Webhooks as the console shows them: with their creator, their back-off, and whether a rotation is in progress. What a webhook that is
 * not active has missed is not counted, because fifty webhooks may have missed millions of events.
 */
export async function readConsoleWebhooks(
  store: Store,
  accountId: string,
  rows: readonly WebhookRow[],
): Promise<ConsoleWebhook[]> {
  const ids = rows.map(({ id }) => id);
  const [healths, secrets] = await Promise.all([
    readWebhookHealth(store, accountId, ids),
    readSigningSecrets(store, accountId, ids),
  ]);
  const verified = await Promise.all(
    rows.map((row, index) => isVerified(store, accountId, { ...row, ...healths[index] })),
  );
  return rows.flatMap((row, index) => {
    const health = healths[index];
    if (health === undefined) return [];
    const { type, key_id, name } = row.created_by;
    const pending = secrets[index]?.row.pending ?? null;
    return [
      {
        ...toWebhook(row, health),
        status: row.status,
        name: row.name ?? null,
        rotating: pending !== null,
        headers: [...(secrets[index]?.row.headers?.names ?? [])],
        created_by: { type, key_id, name },
        verified: verified[index] ?? false,
        status_changed_at: toTimestampOrNull(row.status_changed_at ?? null),
        status_reason: statusReasons[row.status],
        status_detail: row.disabled?.reason ?? null,
        removed_at: null,
        missed: row.status === "active" ? 0 : null,
        ...toSendingFields(row),
        waiting: null,
        backoff_until: toTimestampOrNull(health.backoff_until ?? null),
      },
    ];
  });
}

function toSendingFields(
  row: Pick<WebhookRow, "max_per_second" | "host_max_per_second" | "ordered" | "body_form">,
): Pick<ConsoleWebhook, "max_per_second" | "host_max_per_second" | "ordered" | "body_form"> {
  return {
    max_per_second: row.max_per_second ?? null,
    host_max_per_second: row.host_max_per_second ?? null,
    ordered: row.ordered ?? false,
    body_form: row.body_form ?? null,
  };
}

/**
 * Whether a delivery or a test of a webhook was ever accepted. Only for a webhook of an earlier version, without an accepted delivery,
 * the log is read.
 */
export async function isVerified(
  store: Store,
  accountId: string,
  {
    id,
    event,
    test_accepted_at: testAcceptedAt,
    last_success_at: lastSuccessAt = null,
  }: Pick<WebhookRow, "id" | "event" | "test_accepted_at"> & Partial<WebhookHealthRow>,
): Promise<boolean> {
  if (lastSuccessAt !== null) return true;
  if (testAcceptedAt !== undefined) return testAcceptedAt !== null;
  return hasAccepted(store, { accountId, event, webhookId: id });
}

/** Only a person pauses a webhook, and only failures switch it off. */
const statusReasons = {
  active: null,
  paused: "person",
  switched_off: "failures",
  disabled_by_host: "host",
} as const;

/** One webhook, with what it has missed, and what waits because of its limit or its order. */
export async function readConsoleWebhook(
  store: Store,
  accountId: string,
  row: WebhookRow,
): Promise<ConsoleWebhook> {
  const isSlowed = rateOf(row) !== null || row.ordered === true;
  const address = { accountId, event: row.event, webhookId: row.id };
  const [[webhook], missed, waiting] = await Promise.all([
    readConsoleWebhooks(store, accountId, [row]),
    readMissed(store, accountId, row),
    isSlowed ? readWaiting(store, address, maximumWaiting) : undefined,
  ]);
  if (webhook === undefined) throw new Error("one row gives one webhook");
  return { ...webhook, missed, waiting: waiting?.count ?? null };
}

/** Null if it is unknown since when: earlier versions did not store it. */
async function readMissed(store: Store, accountId: string, row: WebhookRow): Promise<number | null> {
  if (row.status === "active") return 0;
  const since = stoppedSince(row);
  if (since === undefined) return null;
  return countMissed(store, { accountId, webhookId: row.id, since, limit: maximumMissed });
}

/** The removed webhooks of an account, newest first by their creation, as every list. */
export async function listRemovedPage(
  { store, cursors }: ListContext,
  accountId: string,
  page: PageRequest,
): Promise<Page<ConsoleWebhook>> {
  const cursor = openCursor(cursors, {
    accountId,
    list: "webhooks",
    filters: { status: "removed" },
    page,
  });
  const found = await listRemovedWebhooks(store, accountId, { before: cursor.id, limit: page.limit + 1 });
  const { rows, meta } = toPage(cursor, found, page.limit);
  return { rows: await readRemovedWebhooks(store, accountId, rows), meta };
}

/** @throws HookwrightError `resource_not_found` */
export async function expectRemovedWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<ConsoleWebhook> {
  const row = isHostId(webhookId) ? await findRemovedWebhook(store, accountId, webhookId) : undefined;
  if (row === undefined) throw noSuch("webhook");
  return readRemovedWebhook(store, accountId, row);
}

export function readRemovedWebhooks(
  store: Store,
  accountId: string,
  rows: readonly RemovedWebhookRow[],
): Promise<ConsoleWebhook[]> {
  return Promise.all(rows.map((row) => readRemovedWebhook(store, accountId, row)));
}

/** Its secrets and headers were deleted with it. What it missed cannot be sent any more. */
async function readRemovedWebhook(
  store: Store,
  accountId: string,
  row: RemovedWebhookRow,
): Promise<ConsoleWebhook> {
  const { type, key_id, name } = row.created_by;
  const removedAt = toTimestamp(row.removed_at);
  return {
    id: row.id,
    ...toEventFields(row),
    target_url: row.target_url,
    project_id: row.project_id,
    status: "removed",
    consecutive_failures: row.consecutive_failures,
    last_success_at: toTimestampOrNull(row.last_success_at),
    last_failure_at: toTimestampOrNull(row.last_failure_at),
    created_at: toTimestamp(row.created_at),
    name: row.name ?? null,
    rotating: false,
    headers: [],
    created_by: { type, key_id, name },
    verified: await isVerified(store, accountId, row),
    status_changed_at: removedAt,
    status_reason: row.reason,
    status_detail: row.disabled?.reason ?? null,
    missed: null,
    ...toSendingFields(row),
    waiting: null,
    removed_at: removedAt,
    backoff_until: null,
  };
}

export interface WebhookPageQuery {
  readonly accountId: string;
  readonly page: PageRequest;
  /** @default every webhook */
  readonly isShown?: ((webhook: WebhookRow) => boolean) | undefined;
  /** The name of the list in its cursors. @default "webhooks" */
  readonly list?: string;
  /** The filters in its cursors. @default none */
  readonly filters?: Readonly<Record<string, string | undefined>>;
}

/** A page of the webhooks of an account, newest first. An account has at most fifty, so all are read. */
export async function listWebhookPage(
  { store, cursors }: ListContext,
  { accountId, page, isShown = () => true, list = "webhooks", filters = {} }: WebhookPageQuery,
): Promise<Page<WebhookRow>> {
  const cursor = openCursor(cursors, { accountId, list, filters, page });
  const all = (await listNewestWebhooks(store, accountId)).filter(isShown);
  const { id: last } = cursor;
  const rest = last === undefined ? all : all.filter(({ id }) => id < last);
  return toPage(cursor, rest, page.limit);
}

/** @param found more rows than the page has, if there are more */
function toPage<Row extends { readonly id: string }>(
  cursor: OpenedCursor,
  found: readonly Row[],
  limit: number,
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, meta: cursor.toMeta(last && [last.id]) };
}
