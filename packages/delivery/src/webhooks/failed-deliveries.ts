import type { Entry, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { eventsOf, parseWebhookRow } from "../storage/webhook-row.ts";
import type { DeliveryRow } from "../storage/delivery-row.ts";
import { keys } from "../storage/keys.ts";
import { describeFailure } from "./webhook-notice.ts";

/** The deliveries of one webhook that have finally failed since somebody was last told. Times are in milliseconds. */
export interface FailedDeliveriesRow {
  readonly target_url: string;
  readonly events: readonly string[];
  readonly count: number;
  readonly first_at: number;
  readonly last_at: number;
  /** The id of the last one. */
  readonly last_delivery: string;
  readonly last_failure: string;
}

/**
 * The row after more deliveries have failed. However many they are, a webhook has one row.
 *
 * @returns `undefined`: nothing changes
 */
export function countFailedDeliveries(
  before: { readonly text: string | undefined } | undefined,
  webhook: string | undefined,
  failed: readonly DeliveryRow[],
  now: number,
): string | undefined {
  const last = failed.at(-1);
  const attempt = last?.attempts.at(-1);
  if (before === undefined || webhook === undefined || last === undefined || attempt === undefined)
    return undefined;
  const known = parseFailedDeliveries(before.text);
  const { target_url, ...row } = parseWebhookRow(webhook);
  const counted: FailedDeliveriesRow = {
    target_url,
    events: eventsOf(row),
    count: (known?.count ?? 0) + failed.length,
    first_at: known?.first_at ?? now,
    last_at: now,
    last_delivery: last.id,
    last_failure: describeFailure(attempt),
  };
  return JSON.stringify(counted);
}

/** A row that cannot be read starts again. */
export function parseFailedDeliveries(text: string | undefined): FailedDeliveriesRow | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Failed deliveries of a webhook, and the key of their row. */
export interface FailedDeliveries {
  readonly entry: Entry;
  readonly accountId: string;
  readonly webhookId: string;
  /** Undefined: it cannot be read. */
  readonly row: FailedDeliveriesRow | undefined;
}

/** The failed deliveries of all webhooks of a partition that nobody was told about yet. */
export async function* listFailedDeliveries(
  store: Store,
  partition: string,
): AsyncGenerator<FailedDeliveries> {
  for await (const page of listPages(store, { prefix: keys.failedDeliveriesIn(partition) }))
    for (const entry of page) {
      const [accountId, webhookId] = entry.key.slice(2).map(String);
      if (accountId !== undefined && webhookId !== undefined)
        yield { entry, accountId, webhookId, row: parseFailedDeliveries(entry.value) };
    }
}
