import { findDeliveries } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { isHostId } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { noSuch } from "../lookups/no-such.ts";

/** @throws HookwrightError `resource_not_found` */
export async function expectDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const [delivery] = isHostId(deliveryId) ? await findDeliveries(store, accountId, [deliveryId]) : [];
  if (delivery === undefined) throw noSuch("delivery");
  return delivery;
}
