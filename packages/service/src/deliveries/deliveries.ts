import { HookwrightError } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import type { DeliveryUseCases } from "../use-cases.ts";
import { toDeliveryDetail } from "./delivery-shape.ts";
import { findDelivery } from "./find-deliveries.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { resend } from "./resend.ts";

/** The delivery log (contract §7). */
export function createDeliveries(context: ServiceContext): DeliveryUseCases {
  return {
    list: (accountId, filters, page) => listDeliveries(context, accountId, filters, page),

    async get(accountId, deliveryId) {
      const row = await findDelivery(context.store, accountId, deliveryId);
      if (row === undefined)
        throw new HookwrightError("resource_not_found", "No such delivery on this account.");
      return toDeliveryDetail(row);
    },

    resend: (accountId, deliveryId) => resend(context, accountId, deliveryId),
  };
}
