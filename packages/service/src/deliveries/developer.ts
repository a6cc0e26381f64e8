import type { WebhookRow } from "@hookwright/delivery";
import { parseInput, testInputSchema, withoutEmpty } from "@hookwright/domain";
import type { Recovery } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectDelivery } from "../lookups/find-deliveries.ts";
import { siteFilter } from "../lookups/find-project.ts";
import { expectOwnWebhook, listOwnWebhooks, ownsWebhook } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import type { SearchContext } from "../lookups/search-context.ts";
import { listWebhookPage, readConsoleWebhooks } from "../lookups/read-webhooks.ts";
import type {
  Caller,
  DeliveryUseCases,
  DeveloperUseCases,
  OwnOfKey,
  ResendUseCases,
  WebhookUseCases,
} from "../use-cases.ts";
import { listDeliveries } from "./list-deliveries.ts";

/** The console's use cases for programs, restricted to what an API key created (contract: The developer API). */
export function createDeveloper(
  context: SearchContext & Pick<ServiceContext, "cursors">,
  deliveries: Pick<DeliveryUseCases, "get" | "resend">,
  webhooks: Pick<
    WebhookUseCases,
    "sendTest" | "pause" | "resume" | "recover" | "listRecoveries" | "getRecovery" | "stopRecovery"
  >,
  resends: ResendUseCases,
): DeveloperUseCases {
  const { store } = context;

  async function expectOwnDelivery(caller: Caller, deliveryId: string): Promise<void> {
    if (caller.credential.type === "console") return;
    const row = await expectDelivery(store, caller.accountId, deliveryId);
    const { webhook_id: webhookId, project_id: projectId } = row;
    if (caller.projectId !== undefined && projectId !== caller.projectId) throw noSuch("delivery");
    await expectOwnWebhook(store, caller, webhookId, "delivery");
  }

  async function getRecovery(caller: Caller, recoveryId: string): Promise<Recovery> {
    const recovery = await webhooks.getRecovery(caller.accountId, recoveryId, caller.projectId);
    await expectOwnWebhook(store, caller, recovery.webhook_id, "recovery");
    return recovery;
  }

  /** Undefined for a console token, which sees everything. */
  async function ownOf(caller: Caller): Promise<OwnOfKey | undefined> {
    const key = keyOf(caller);
    const webhooks = await listOwnWebhooks(store, caller);
    return key === undefined || webhooks === undefined ? undefined : { ...key, webhooks };
  }

  return {
    async listWebhooks(caller, page) {
      const { accountId } = caller;
      const isShown = (webhook: WebhookRow): boolean => ownsWebhook(caller, webhook);
      const { rows, meta } = await listWebhookPage(context, { accountId, page, isShown });
      return { rows: await readConsoleWebhooks(store, accountId, rows), meta };
    },

    async sendTest(caller, webhookId, input, origin) {
      await expectOwnWebhook(store, caller, webhookId);
      const { delivery_id: deliveryId } = parseInput(testInputSchema, withoutEmpty(input ?? {}));
      if (deliveryId !== undefined) await expectOwnDelivery(caller, deliveryId);
      return webhooks.sendTest(caller.accountId, webhookId, input, origin);
    },

    async pause(caller, webhookId, origin) {
      await expectOwnWebhook(store, caller, webhookId);
      return webhooks.pause(caller.accountId, webhookId, origin);
    },

    async resume(caller, webhookId, origin) {
      await expectOwnWebhook(store, caller, webhookId);
      return webhooks.resume(caller.accountId, webhookId, origin);
    },

    async listDeliveries(caller, filters, page) {
      const ofSite = { ...filters, project_id: siteFilter(caller, filters.project_id) };
      return listDeliveries(context, caller.accountId, ofSite, page, await listOwnWebhooks(store, caller));
    },

    async getDelivery(caller, deliveryId) {
      await expectOwnDelivery(caller, deliveryId);
      return deliveries.get(caller.accountId, deliveryId);
    },

    async resend(caller, deliveryId, origin) {
      await expectOwnDelivery(caller, deliveryId);
      return deliveries.resend(caller.accountId, deliveryId, origin);
    },

    async recover(caller, webhookId, input, origin) {
      await expectOwnWebhook(store, caller, webhookId);
      return webhooks.recover(caller.accountId, webhookId, input, origin, keyOf(caller));
    },

    async listRecoveries(caller, webhookId, page) {
      await expectOwnWebhook(store, caller, webhookId);
      return webhooks.listRecoveries(caller.accountId, webhookId, page, caller.projectId);
    },

    getRecovery,

    async stopRecovery(caller, recoveryId, origin) {
      await getRecovery(caller, recoveryId);
      return webhooks.stopRecovery(caller.accountId, recoveryId, origin);
    },

    async startResend(caller, input, origin) {
      return resends.start(caller.accountId, input, origin, await ownOf(caller));
    },

    async previewResend(caller, input) {
      return resends.preview(caller.accountId, input, await ownOf(caller));
    },

    async listResends(caller, page) {
      return resends.list(caller.accountId, page, keyOf(caller)?.keyId);
    },

    async getResend(caller, jobId) {
      return resends.get(caller.accountId, jobId, keyOf(caller)?.keyId);
    },

    async stopResend(caller, jobId, origin) {
      return resends.stop(caller.accountId, jobId, origin, keyOf(caller)?.keyId);
    },
  };
}

function keyOf({ credential, projectId }: Caller): Omit<OwnOfKey, "webhooks"> | undefined {
  return credential.type === "key" ? { keyId: credential.keyId, projectId } : undefined;
}
