import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import type { DeliveryUseCases } from "../use-cases.ts";
import { toDeliveryDetail } from "./delivery-shape.ts";
import { expectDelivery } from "./expect-delivery.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { readBodies } from "./read-bodies.ts";
import { resend } from "./resend.ts";

/** The delivery log (contract §7). */
export function createDeliveries(context: ServiceContext): DeliveryUseCases {
  return {
    list: (accountId, filters, page) => listDeliveries(context, accountId, filters, page),

    async get(accountId, deliveryId) {
      const { store } = context;
      const row = await expectDelivery(store, accountId, deliveryId);
      const bodies = await readBodies(context, accountId, row);
      if (bodies === undefined) throw noSuch("delivery");
      return toDeliveryDetail(row, bodies);
    },

    resend: (accountId, deliveryId) => resend(context, accountId, deliveryId),
  };
}
