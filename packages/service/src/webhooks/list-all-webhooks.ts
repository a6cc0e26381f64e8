import { findMostWaiting, readAllWebhooks, readWaiting } from "@hookwright/delivery";
import type { RemovedWebhookRow, Waiting, WebhookRow } from "@hookwright/delivery";
import { HookwrightError, maximumWaiting } from "@hookwright/domain";
import type { HostWebhook } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { openCursor } from "../store/page-cursor.ts";
import { scan } from "../store/scan.ts";
import type { AllWebhooksFilters, Page, PageRequest } from "../use-cases.ts";
import { listWebhookPage, readConsoleWebhooks, readRemovedWebhooks } from "../lookups/read-webhooks.ts";

type Context = Pick<ServiceContext, "store" | "cursors" | "now">;
interface Found {
  readonly accountId: string;
  readonly row: WebhookRow | RemovedWebhookRow;
}

/** With a filter, the webhooks with most waiting deliveries that it is applied to. */
const maximumSorted = 1_000;

/**
 * A page of the webhooks of all accounts, grouped by account, or of one, newest first. With `sort: "waiting"`, those with most waiting
 * deliveries: one page, because the order changes all the time.
 *
 * @throws HookwrightError `invalid_cursor`; `validation_failed` for another order
 */
export async function listAllWebhooks(
  context: Context,
  { account_id: accountId, status, sort }: AllWebhooksFilters,
  page: PageRequest,
): Promise<Page<HostWebhook>> {
  const { store, cursors } = context;
  if (sort !== undefined && sort !== "waiting")
    throw new HookwrightError("validation_failed", "sort: must be waiting");
  if (accountId !== undefined) {
    if (sort !== undefined)
      throw new HookwrightError("validation_failed", "sort: is only for the webhooks of all accounts");
    const isShown = (row: WebhookRow): boolean => status === undefined || row.status === status;
    const { rows, meta } = await listWebhookPage(context, {
      accountId,
      page,
      isShown,
      list: "all-webhooks",
      filters: { status },
    });
    return {
      rows: await toHostWebhooks(
        context,
        rows.map((row) => ({ accountId, row })),
      ),
      meta,
    };
  }
  const filters = { status, sort };
  const cursor = openCursor(cursors, { accountId: "", list: "all-webhooks", filters, page });
  if (sort !== undefined) return listMostWaiting(context, status, page.limit);
  const { found, next } = await scan(readAllWebhooks(store, cursor.position), {
    limit: page.limit,
    positionOf: ({ position }) => position,
    matches: ({ row }) => status === undefined || row.status === status,
  });
  return { rows: await toHostWebhooks(context, found), meta: cursor.toMeta(next) };
}

async function listMostWaiting(
  context: Context,
  status: string | undefined,
  limit: number,
): Promise<Page<HostWebhook>> {
  const webhooks = status === undefined ? limit : maximumSorted;
  const most = await findMostWaiting(context.store, { partitions, limit: maximumWaiting, webhooks });
  const wanted = most.filter(({ row }) => status === undefined || row.status === status).slice(0, limit);
  const shown = await toHostWebhooks(context, wanted);
  const byId = new Map(shown.map((webhook) => [webhook.id, webhook]));
  return {
    rows: wanted.flatMap(({ row }) => byId.get(row.id) ?? []),
    meta: { has_more: false, next_cursor: null },
  };
}

/** Grouped by account. */
export async function toHostWebhooks(
  { store, now }: Pick<Context, "store" | "now">,
  found: readonly Found[],
): Promise<HostWebhook[]> {
  const accounts = [...Map.groupBy(found, ({ accountId }) => accountId)];
  const shown = await Promise.all(
    accounts.map(async ([account_id, webhooks]) => {
      const rows = webhooks.map(({ row }) => row);
      const [present, removed, waiting] = await Promise.all([
        readConsoleWebhooks(
          store,
          account_id,
          rows.flatMap((row) => ("removed_at" in row ? [] : [row])),
        ),
        readRemovedWebhooks(
          store,
          account_id,
          rows.flatMap((row) => ("removed_at" in row ? [row] : [])),
        ),
        Promise.all(
          rows.map(({ id: webhookId, event }) =>
            readWaiting(store, { accountId: account_id, event, webhookId }, maximumWaiting),
          ),
        ),
      ]);
      const waitingOf = new Map(rows.map(({ id }, index) => [id, waiting[index]]));
      return [...present, ...removed].map((webhook) => ({
        ...webhook,
        account_id,
        ...toFields(waitingOf.get(webhook.id), now()),
      }));
    }),
  );
  return shown.flat();
}

function toFields(
  { count = 0, firstDueAt }: Partial<Waiting> = {},
  now: number,
): Pick<HostWebhook, "waiting" | "oldest_due_at"> {
  const isDue = firstDueAt !== undefined && firstDueAt <= now;
  return { waiting: count, oldest_due_at: toTimestampOrNull(isDue ? firstDueAt : null) };
}
