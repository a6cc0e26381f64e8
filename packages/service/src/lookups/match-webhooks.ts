import { listRemovedWebhooks, listWebhooks } from "@hookwright/delivery";
import type { RemovedWebhookRow, WebhookRow } from "@hookwright/delivery";
import { maximumWebhooks } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";

/** A webhook that a text names, and by what. */
export interface MatchedWebhook {
  readonly row: WebhookRow | RemovedWebhookRow;
  readonly by: "id" | "name" | "url";
}

/** A part of a URL or name. Nearly every URL has a given letter. */
const shortestPart = 3;
/** Removed webhooks whose names and URLs are compared, the newest first. */
const maximumRemoved = 100;

/** Present webhooks, and those removed in the last 30 days. */
export async function findWebhooksByText(
  store: Store,
  accountId: string,
  text: string,
): Promise<readonly MatchedWebhook[]> {
  if (text.length < shortestPart) return [];
  const [present, removed] = await Promise.all([
    listWebhooks(store, accountId, { limit: maximumWebhooks }),
    listRemovedWebhooks(store, accountId, { limit: maximumRemoved }),
  ]);
  return [...present, ...removed].flatMap((row) => {
    const by = byWebhook(row, text);
    return by === undefined ? [] : [{ row, by }];
  });
}

function byWebhook(
  { id, name, target_url: url }: MatchedWebhook["row"],
  text: string,
): MatchedWebhook["by"] | undefined {
  if (name?.toLowerCase().includes(text) === true) return "name";
  if (url.toLowerCase().includes(text)) return "url";
  return text.startsWith("wh_") && id.startsWith(text) ? "id" : undefined;
}
