import { keys, parseDeliveryRow } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { isHostId } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { findRuns } from "../store/index-runs.ts";

/** A delivery that was never tried is still in the queue of its webhook, and nowhere else. */
export async function findDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  const [found] = await findDeliveries(store, accountId, [deliveryId]);
  return found;
}

/** @param findQueues the queues of new deliveries, asked for if a delivery was never tried */
export async function findDeliveries(
  store: Store,
  accountId: string,
  ids: readonly string[],
  findQueues: () => Promise<readonly Key[]> = () => findNewQueues(store, accountId),
): Promise<DeliveryRow[]> {
  const wanted = ids.filter(isHostId);
  if (wanted.length === 0) return [];
  const readTried = () => store.getMany(wanted.map((id) => keys.delivery(accountId, id)));
  const texts = await readTried();
  const missing = wanted.filter((_, index) => texts[index] === undefined);
  if (missing.length === 0) return texts.flatMap(parseFound);
  const queues = await findQueues();
  const waiting = await store.getMany(
    queues.flatMap((queue) => missing.map((id) => [...queue, id] as const)),
  );
  const found = new Map([...texts, ...waiting].flatMap(parseFound).map((row) => [row.id, row]));
  // Between the two reads the first attempt of one may have ended.
  if (missing.some((id) => !found.has(id)))
    for (const row of (await readTried()).flatMap(parseFound)) found.set(row.id, row);
  return [...found.values()];
}

/** The queues of deliveries that were never tried: one for each webhook that has any. */
export function findNewQueues(store: Store, accountId: string): Promise<Key[]> {
  return findRuns(store, keys.freshDeliveries(accountId), [undefined, undefined]);
}

function parseFound(text: string | undefined): DeliveryRow[] {
  return text === undefined ? [] : [parseDeliveryRow(text)];
}
