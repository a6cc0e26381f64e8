import type { WebhookRow } from "@hookwright/delivery";
import type { ServiceContext } from "../context.ts";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { Page, PageRequest } from "../use-cases.ts";

export interface WebhookPageQuery {
  readonly accountId: string;
  readonly page: PageRequest;
  /** @default every webhook */
  readonly isShown?: ((webhook: WebhookRow) => boolean) | undefined;
}

/** A page of the webhooks of an account, newest first. An account has at most fifty, so all are read. */
export async function listWebhookPage(
  { store, cursors }: Pick<ServiceContext, "store" | "cursors">,
  { accountId, page, isShown = () => true }: WebhookPageQuery,
): Promise<Page<WebhookRow>> {
  const cursor = openCursor(cursors, { accountId, list: "webhooks", filters: {}, page });
  const lastSeen = cursor.position?.[0];
  const all = (await listNewestWebhooks(store, accountId)).filter(isShown);
  const rest = typeof lastSeen === "string" ? all.filter(({ id }) => id < lastSeen) : all;
  const rows = rest.slice(0, page.limit);
  const last = rows.at(-1);
  const more = rest.length > rows.length && last !== undefined;
  return { rows, meta: { has_more: more, next_cursor: more ? cursor.seal([last.id]) : null } };
}
