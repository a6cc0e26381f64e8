import { keys as deliveryKeys } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { findDeliveries } from "../deliveries/find-deliveries.ts";
import type { RecordRow } from "../rows/record-row.ts";

/** Of the deliveries that the record's row does not name, such as resends, so many of the newest are looked at. */
const mostOthers = 1_000;
/** Rows read together. The newest come first, because they are most likely to have sent the data. */
const readTogether = 25;

/**
 * Whether a delivery may show the data of a record that is about to be replaced, so that it is kept: one that has sent it, or
 * one that has not ended and may be sending it just now. What nobody was sent leaves nothing behind, however often it changes.
 *
 * It holds as long as the record's row does: publishes and resends, which make deliveries, write that row.
 *
 * @param json the data that replaces it; undefined where the record is deleted
 */
export async function isReplacedNamed(
  store: Store,
  accountId: string,
  recordId: string,
  before: RecordRow,
  json: string | undefined,
): Promise<boolean> {
  if (json === before.json) return false;
  const { head, version } = before;
  const others = await store.list({
    prefix: deliveryKeys.deliveriesOfRecord(accountId, recordId),
    limit: mostOthers,
    reverse: true,
  });
  const ids = [...new Set([...head.deliveries, ...others.map(({ key }) => String(key.at(-1)))])]
    .toSorted()
    .toReversed();
  for (let first = 0; first < ids.length; first += readTogether) {
    const deliveries = await findDeliveries(store, accountId, ids.slice(first, first + readTogether));
    const isNamed = deliveries.some(
      ({ status, attempts }) =>
        status === "pending" ||
        attempts.some(({ body }) => typeof body !== "string" && body.version === version),
    );
    if (isNamed) return true;
  }
  return false;
}
