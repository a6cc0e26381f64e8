import { readAllWebhooks } from "@hookwright/delivery";
import type { WebhookOfAccount } from "@hookwright/delivery";
import type { HostWebhook } from "@hookwright/domain";
import type { KeyPart } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { Page, PageRequest } from "../use-cases.ts";
import { readConsoleWebhooks } from "./read-console-webhooks.ts";

/** Webhooks that one page reads. A page that stops there may be short, and its cursor continues behind them. */
const maximumScanned = 2_500;

/** A page of the webhooks of all accounts, grouped by account. */
export async function listAllWebhooks(
  { store, cursors }: Pick<ServiceContext, "store" | "cursors">,
  { status }: { readonly status?: string | undefined },
  page: PageRequest,
): Promise<Page<HostWebhook>> {
  const cursor = openCursor(cursors, { accountId: "", list: "all-webhooks", filters: { status }, page });
  const found: WebhookOfAccount[] = [];
  let scanned = 0;
  let last: readonly KeyPart[] | undefined;
  const show = async (next: readonly KeyPart[] | undefined): Promise<Page<HostWebhook>> => ({
    rows: await toHostWebhooks(store, found),
    meta: { has_more: next !== undefined, next_cursor: next === undefined ? null : cursor.seal(next) },
  });
  for await (const webhook of readAllWebhooks(store, cursor.position)) {
    if (found.length === page.limit || scanned === maximumScanned) return show(last);
    scanned += 1;
    last = webhook.position;
    if (status === undefined || webhook.row.status === status) found.push(webhook);
  }
  return show(undefined);
}

async function toHostWebhooks(
  store: ServiceContext["store"],
  found: readonly WebhookOfAccount[],
): Promise<HostWebhook[]> {
  const accounts = [...Map.groupBy(found, ({ accountId }) => accountId)];
  const shown = await Promise.all(
    accounts.map(async ([account_id, webhooks]) => {
      const rows = webhooks.map(({ row }) => row);
      return (await readConsoleWebhooks(store, account_id, rows)).map((webhook) => ({
        ...webhook,
        account_id,
      }));
    }),
  );
  return shown.flat();
}
