import type { WebhookRow } from "@hookwright/delivery";
import type { ServiceContext } from "../context.ts";
import { expectDelivery } from "../deliveries/expect-delivery.ts";
import { listDeliveries } from "../deliveries/list-deliveries.ts";
import type { DeliveryUseCases, DeveloperUseCases } from "../use-cases.ts";
import { listWebhookPage } from "../webhooks/list-webhook-page.ts";
import { readConsoleWebhooks } from "../webhooks/read-console-webhooks.ts";
import { expectOwnWebhook, listOwnWebhooks, maySee } from "./own-webhooks.ts";

/** The console's use cases for programs, restricted to what an API key created (contract §11). */
export function createDeveloper(
  context: Pick<ServiceContext, "store" | "events" | "cursors">,
  deliveries: Pick<DeliveryUseCases, "get" | "resend">,
): DeveloperUseCases {
  const { store } = context;

  return {
    async listWebhooks(caller, page) {
      const { accountId } = caller;
      const isShown = (webhook: WebhookRow): boolean => maySee(caller, webhook);
      const { rows, meta } = await listWebhookPage(context, { accountId, page, isShown });
      return { rows: await readConsoleWebhooks(store, accountId, rows), meta };
    },

    async listDeliveries(caller, filters, page) {
      return listDeliveries(context, caller.accountId, filters, page, await listOwnWebhooks(store, caller));
    },

    async getDelivery(caller, deliveryId) {
      const { webhook_id: webhookId } = await expectDelivery(store, caller.accountId, deliveryId);
      await expectOwnWebhook(store, caller, webhookId, "delivery");
      return deliveries.get(caller.accountId, deliveryId);
    },

    async resend(caller, deliveryId) {
      const { webhook_id: webhookId } = await expectDelivery(store, caller.accountId, deliveryId);
      await expectOwnWebhook(store, caller, webhookId, "delivery");
      return deliveries.resend(caller.accountId, deliveryId);
    },
  };
}
