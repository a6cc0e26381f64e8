import { findWebhook, readWebhookGuard, removeWebhooks } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { isHostId } from "@hookwright/domain";
import type { Webhook } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { expectWebhook } from "../lookups/find-webhooks.ts";
import { createRecoveries } from "../recoveries/recoveries.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import type { Page, PageRequest, WebhookUseCases } from "../use-cases.ts";
import { changeWebhook } from "./change-webhook.ts";
import { createWebhook } from "./create-webhook.ts";
import { listAllWebhooks } from "./list-all-webhooks.ts";
import { listWebhookPage } from "./list-webhook-page.ts";
import { showSecret } from "./signing-secret.ts";
import { readConsoleWebhook, readConsoleWebhooks } from "./read-console-webhooks.ts";
import { readWebhooks } from "./read-webhooks.ts";
import { expectRemovedWebhook, listRemovedPage } from "./removed-webhooks.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTest } from "./send-test.ts";
import type { TestSlots } from "./test-slots.ts";
import { updateWebhook } from "./update-webhook.ts";

/** Webhook subscriptions (specification §2.4, §3.1). */
export function createWebhooks(context: ServiceContext, testSlots: TestSlots): WebhookUseCases {
  const { store, cursors, worker, signing, now } = context;

  async function expectRow(accountId: string, webhookId: string): Promise<WebhookRow> {
    return (await expectWebhook(store, accountId, webhookId)).row;
  }

  async function readOne(accountId: string, row: WebhookRow): Promise<Webhook> {
    const [webhook] = await readWebhooks(store, accountId, [row]);
    if (webhook === undefined) throw new Error("one row gives one webhook");
    return webhook;
  }

  const listPage = (accountId: string, page: PageRequest): Promise<Page<WebhookRow>> =>
    listWebhookPage({ store, cursors }, { accountId, page });

  return {
    async create(caller, body) {
      const { row, signingSecret } = await createWebhook(context, caller, body);
      const webhook = await readOne(caller.accountId, row);
      return signingSecret === undefined
        ? { webhook, created: false }
        : { webhook: { ...webhook, signing_secret: signingSecret }, created: true };
    },

    async createForConsole(caller, body) {
      const { row, signingSecret } = await createWebhook(context, caller, body, { takesName: true });
      const webhook = await readConsoleWebhook(store, caller.accountId, row);
      return signingSecret === undefined
        ? { webhook, created: false }
        : { webhook: { ...webhook, ...showSecret(signing, signingSecret) }, created: true };
    },

    async list(accountId, page) {
      const { rows, meta } = await listPage(accountId, page);
      return { rows: await readWebhooks(store, accountId, rows), meta };
    },

    async get(accountId, webhookId) {
      return readOne(accountId, await expectRow(accountId, webhookId));
    },

    async remove(accountId, webhookId) {
      const endpoints = await commitUntilDone(store, partitionOf(accountId), async () => {
        const guard = await readWebhookGuard(store, accountId);
        const row = await expectRow(accountId, webhookId);
        const options = { reason: "person", now: now() } as const;
        const { checks, mutations, notify, endpoints } = await removeWebhooks(store, guard, [row], options);
        return { commit: { checks, mutations, notify }, result: endpoints };
      });
      endpoints.forEach((endpoint) => worker.webhookChanged(endpoint));
      return { id: webhookId, deleted: true };
    },

    listAll: (filters, page) => listAllWebhooks(context, filters, page),

    async listForConsole(accountId, page) {
      const { rows, meta } = await listPage(accountId, page);
      return { rows: await readConsoleWebhooks(store, accountId, rows), meta };
    },

    async getForConsole(accountId, webhookId) {
      const webhook = isHostId(webhookId) ? await findWebhook(store, accountId, webhookId) : undefined;
      return webhook === undefined
        ? expectRemovedWebhook(store, accountId, webhookId)
        : readConsoleWebhook(store, accountId, webhook.row);
    },

    listRemoved: (accountId, page) => listRemovedPage(context, accountId, page),

    update: (accountId, webhookId, body) => updateWebhook(context, accountId, webhookId, body),
    pause: (accountId, webhookId) => changeWebhook(context, accountId, webhookId, "pause"),
    resume: (accountId, webhookId) => changeWebhook(context, accountId, webhookId, "resume"),
    turnOn: (accountId, webhookId) => changeWebhook(context, accountId, webhookId, "turn_on"),

    async rotate(accountId, webhookId) {
      const { webhook, signingSecret = "" } = await rotateSecret(context, accountId, webhookId, "rotate");
      return { ...webhook, ...showSecret(signing, signingSecret) };
    },
    finishRotation: async (accountId, webhookId) =>
      (await rotateSecret(context, accountId, webhookId, "finish")).webhook,
    cancelRotation: async (accountId, webhookId) =>
      (await rotateSecret(context, accountId, webhookId, "cancel")).webhook,

    ...createRecoveries(context),

    sendTest: (accountId, webhookId) =>
      testSlots.run(accountId, () => sendTest(context, accountId, webhookId)),
  };
}
