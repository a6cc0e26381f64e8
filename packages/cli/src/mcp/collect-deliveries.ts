import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import type { ApiClient } from "../api/api-client.ts";
import { expectNames, listDeliveries } from "../api/operations.ts";
import type { DeliveryFilters } from "../api/operations.ts";

export interface CollectedDeliveries {
  /** Newest first. */
  readonly deliveries: readonly Row[];
  /** Why older deliveries that match may be missing. Absent if the limit or the end of the log was reached. */
  readonly note?: string;
}

const pageSize = 100;
/** One call of a tool must not use up the rate limit. */
const mostPages = 10;

/** Collects deliveries until the limit or the end of the log. A page may be short, or empty, although more follow. */
export async function collectDeliveries(
  api: ApiClient,
  filters: DeliveryFilters,
  limit: number,
): Promise<CollectedDeliveries> {
  const deliveries: Row[] = [];
  let pages = 0;
  for await (const page of listDeliveries(api, filters, pageSize)) {
    // The loop goes on only if there is another page.
    if (pages === mostPages) return { deliveries, note: describeStop(deliveries) };
    deliveries.push(...page);
    pages += 1;
    if (deliveries.length >= limit) break;
  }
  if (deliveries.length === 0) await expectNames(api, filters);
  return { deliveries: deliveries.slice(0, limit) };
}

function describeStop(deliveries: readonly Row[]): string {
  const last = textOf(deliveries.at(-1) ?? {}, "created_at");
  const reached = last === undefined ? "" : ` The last delivery here is of ${last}.`;
  return `Stopped after ${mostPages} pages of the log, so older deliveries may be missing.${reached} Narrow the search with since or webhook.`;
}
