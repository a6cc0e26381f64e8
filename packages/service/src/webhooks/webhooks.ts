import { findWebhook, readWebhookGuard, removeWebhooks } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { disableInputSchema, isHostId, parseInput, withoutEmpty } from "@hookwright/domain";
import type { Attempt, Webhook } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { expectAccountOf } from "../lookups/find-webhooks.ts";
import { expectWebhook } from "../lookups/find-webhooks.ts";
import type { Page, PageRequest, RecoveryUseCases, WebhookUseCases } from "../use-cases.ts";
import { changeWebhook, enableWebhook } from "./change-webhook.ts";
import { createWebhook } from "./create-webhook.ts";
import { findWebhookChanges } from "./find-webhook-changes.ts";
import { listAllWebhooks } from "./list-all-webhooks.ts";
import { listWebhookPage } from "../lookups/read-webhooks.ts";
import { showSecret } from "../secrets/signing.ts";
import { readConsoleWebhook, readConsoleWebhooks } from "../lookups/read-webhooks.ts";
import { readWebhooks } from "../lookups/read-webhooks.ts";
import { expectRemovedWebhook, listRemovedPage } from "../lookups/read-webhooks.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTest } from "./send-test.ts";
import type { SendTestOptions } from "./send-test.ts";
import type { TestSlots } from "./test-slots.ts";
import { limitWebhook, updateWebhook } from "./update-webhook.ts";

/** Webhook subscriptions (contract: Webhooks). */
export function createWebhooks(
  context: ServiceContext,
  testSlots: TestSlots,
): Omit<WebhookUseCases, keyof RecoveryUseCases> {
  const { store, cursors, worker, signing, now } = context;

  async function expectRow(accountId: string, webhookId: string): Promise<WebhookRow> {
    return (await expectWebhook(store, accountId, webhookId)).row;
  }

  async function readOne(accountId: string, row: WebhookRow): Promise<Webhook> {
    const [webhook] = await readWebhooks(store, accountId, [row]);
    if (webhook === undefined) throw new Error("one row gives one webhook");
    return webhook;
  }

  const test = (
    accountId: string,
    webhookId: string,
    options: Omit<SendTestOptions, "signal">,
  ): Promise<Attempt> =>
    testSlots.run(accountId, (signal) => sendTest(context, accountId, webhookId, { ...options, signal }));

  const listPage = (accountId: string, page: PageRequest): Promise<Page<WebhookRow>> =>
    listWebhookPage({ store, cursors }, { accountId, page });

  return {
    async create(caller, body, origin) {
      const { row, signingSecret } = await createWebhook(context, caller, body, { origin });
      const webhook = await readOne(caller.accountId, row);
      return signingSecret === undefined
        ? { webhook, created: false }
        : { webhook: { ...webhook, ...showSecret(signing, signingSecret) }, created: true };
    },

    async createForConsole(caller, body, origin) {
      const { row, signingSecret } = await createWebhook(context, caller, body, {
        isForConsole: true,
        origin,
      });
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

    async remove(accountId, webhookId, origin) {
      const endpoints = await commitAudited(context, partitionOf(accountId), origin, async () => {
        const guard = await readWebhookGuard(store, accountId);
        const row = await expectRow(accountId, webhookId);
        const options = { reason: "person", now: now() } as const;
        const { checks, mutations, notify, endpoints } = await removeWebhooks(store, guard, [row], options);
        return {
          commit: { checks, mutations, notify },
          result: endpoints,
          audited: {
            action: "webhook.deleted",
            accountId,
            target: { kind: "webhook", id: webhookId },
            changed: findWebhookChanges(row, undefined),
          },
        };
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

    update: (accountId, webhookId, body, origin) =>
      updateWebhook(context, accountId, webhookId, body, origin),
    pause: (accountId, webhookId, origin) =>
      changeWebhook(context, accountId, webhookId, { action: "pause" }, origin),
    resume: (accountId, webhookId, origin) =>
      changeWebhook(context, accountId, webhookId, { action: "resume" }, origin),
    turnOn: (accountId, webhookId, origin) =>
      changeWebhook(context, accountId, webhookId, { action: "turn_on" }, origin),
    async disable(accountId, webhookId, body, origin) {
      const { reason } = parseInput(disableInputSchema, withoutEmpty(body));
      return changeWebhook(context, accountId, webhookId, { action: "disable", reason }, origin);
    },
    limit: (accountId, webhookId, body, origin) => limitWebhook(context, accountId, webhookId, body, origin),
    enable: (accountId, webhookId, origin) => enableWebhook(context, accountId, webhookId, origin),
    accountOf: (webhookId) => expectAccountOf(store, webhookId),

    async rotate(accountId, webhookId, origin) {
      const rotated = await rotateSecret(context, accountId, webhookId, "rotate", origin);
      const { webhook, signingSecret = "" } = rotated;
      return { ...webhook, ...showSecret(signing, signingSecret) };
    },
    finishRotation: async (accountId, webhookId, origin) =>
      (await rotateSecret(context, accountId, webhookId, "finish", origin)).webhook,
    cancelRotation: async (accountId, webhookId, origin) =>
      (await rotateSecret(context, accountId, webhookId, "cancel", origin)).webhook,

    sendTest: (accountId, webhookId, body, origin) => test(accountId, webhookId, { body, origin }),
    sendOperatorTest: (accountId, webhookId, body, origin) =>
      test(accountId, webhookId, { body, origin, isOperator: true }),
  };
}
