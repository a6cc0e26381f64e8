import { findDeliveries } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { RecordRow } from "../rows/record-row.ts";

/** The maximum number of deliveries checked that the record's row does not list, such as resends. The newest are checked. */
const maximumOthers = 1_000;
/** Rows per read. The newest come first, because they are most likely to have sent the data. */
const batchSize = 25;

/**
 * Whether the log needs the data that is about to be replaced. It does if a delivery has sent it, or is pending and may send it now.
 *
 * The result is valid while the record's row is unchanged, because publishes and resends write that row.
 *
 * @param json the new data; undefined if the record is deleted
 */
export async function isVersionReferenced(
  store: Store,
  accountId: string,
  recordId: string,
  before: RecordRow,
  json: string | undefined,
): Promise<boolean> {
  if (json === before.json) return false;
  const { head, version } = before;
  const others = await store.list({
    prefix: keys.deliveriesOfRecord(accountId, recordId),
    limit: maximumOthers,
    reverse: true,
  });
  const ids = [...new Set([...head.deliveries, ...others.map(({ key }) => String(key.at(-1)))])]
    .toSorted()
    .toReversed();
  for (let first = 0; first < ids.length; first += batchSize) {
    const deliveries = await findDeliveries(store, accountId, ids.slice(first, first + batchSize));
    const isReferenced = deliveries.some(
      ({ status, attempts }) =>
        status === "pending" ||
        attempts.some(({ body }) => typeof body !== "string" && body.version === version),
    );
    if (isReferenced) return true;
  }
  return false;
}
