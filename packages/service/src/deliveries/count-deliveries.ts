import { countDeliveries as countLog, listDeliveries as listLog, needsAttempts } from "@hookwright/delivery";
import type { LogPage } from "@hookwright/delivery";
import type { DeliveryCounts } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import type { DeliveryFilters } from "../use-cases.ts";
import { parseDeliveryFilters } from "./delivery-filters.ts";
import { findByText } from "./find-by-text.ts";

/** Nothing is counted further. */
const maximumCount = 10_000;
/** If rows are read, at most this many pages of this size. A row has all its attempts. */
const maximumPages = 100;
const pageSize = 100;

/**
 * Counts the deliveries of each status, up to 10,000. If all rows have to be read, only the newest 10,000 are.
 *
 * @throws HookwrightError `validation_failed`
 */
export async function countDeliveries(
  { store, events }: Pick<ServiceContext, "store" | "events">,
  accountId: string,
  filters: DeliveryFilters,
): Promise<DeliveryCounts> {
  const parsed = parseDeliveryFilters(filters);
  if (filters.project_id !== undefined) await expectProject(store, accountId, filters.project_id);
  const { q: text } = filters;
  if (text === undefined && !needsAttempts(parsed)) {
    const counted = await countLog(store, { accountId, filters: parsed, maximum: maximumCount });
    if (counted !== undefined) return withTotal(counted);
  }
  return countPages((before) => {
    const query = { accountId, filters: parsed, before, limit: pageSize, maximumScanned: pageSize };
    return text === undefined ? listLog(store, query) : findByText({ store, events }, { ...query, text });
  });
}

async function countPages(
  readPage: (before: string | undefined) => Promise<LogPage>,
): Promise<DeliveryCounts> {
  const counts = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
  let before: string | undefined;
  for (let pages = 0; pages < maximumPages; pages++) {
    const { deliveries, next } = await readPage(before);
    for (const { status } of deliveries) counts[status] += 1;
    if (next === undefined) break;
    before = next;
  }
  return withTotal(counts);
}

function withTotal(counts: Omit<DeliveryCounts, "all">): DeliveryCounts {
  const { pending, delivered, failed, cancelled } = counts;
  return { all: Math.min(maximumCount, pending + delivered + failed + cancelled), ...counts };
}
