import { bodyId } from "@hookwright/domain";
import type { ListenerResult } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import { keys } from "../rows/keys.ts";
import type { DeliveryUseCases } from "../use-cases.ts";
import { toDeliveryDetail } from "./delivery-shape.ts";
import { expectDelivery } from "./expect-delivery.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { readBodies } from "./read-bodies.ts";
import { resend } from "./resend.ts";

/** Results of listeners that are shown beside a delivery. */
const maximumResults = 20;

/** The delivery log (contract §7). */
export function createDeliveries(context: ServiceContext): DeliveryUseCases {
  return {
    list: (accountId, filters, page) => listDeliveries(context, accountId, filters, page),

    async get(accountId, deliveryId) {
      const { store } = context;
      const row = await expectDelivery(store, accountId, deliveryId);
      const [bodies, results] = await Promise.all([
        readBodies(context, accountId, row),
        store.list({
          prefix: keys.listenerResults(accountId, bodyId(row.event, row.record_id)),
          limit: maximumResults,
          reverse: true,
        }),
      ]);
      if (bodies === undefined) throw noSuch("delivery");
      const listenerResults = results.map(({ value }): ListenerResult => JSON.parse(value));
      return toDeliveryDetail(row, bodies, listenerResults);
    },

    resend: (accountId, deliveryId) => resend(context, accountId, deliveryId),
  };
}
