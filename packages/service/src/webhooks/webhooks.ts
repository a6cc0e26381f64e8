import { HookwrightError } from "@hookwright/domain";
import type { Webhook } from "@hookwright/domain";
import type { WebhookRow } from "@hookwright/delivery";
import type { ServiceContext } from "../context.ts";
import { partitionOf } from "@hookwright/storage";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { WebhookUseCases } from "../use-cases.ts";
import { createWebhook } from "./create-webhook.ts";
import { removeWebhooks } from "./remove-webhooks.ts";
import { findWebhookRow, listWebhookRows, readWebhooks } from "./webhook-rows.ts";

/** Webhook subscriptions (specification §2.4, §3.1). */
export function createWebhooks(context: ServiceContext): WebhookUseCases {
  const { store, cursors, scheduler } = context;

  async function expectRow(accountId: string, webhookId: string): Promise<WebhookRow> {
    const row = await findWebhookRow(store, accountId, webhookId);
    if (row === undefined)
      throw new HookwrightError("resource_not_found", "No such webhook on this account.");
    return row;
  }

  async function readOne(accountId: string, row: WebhookRow): Promise<Webhook> {
    const [webhook] = await readWebhooks(store, accountId, [row]);
    if (webhook === undefined) throw new Error("one row gives one webhook");
    return webhook;
  }

  return {
    async create(caller, body) {
      const { row, signingSecret } = await createWebhook(context, caller, body);
      const webhook = await readOne(caller.accountId, row);
      return signingSecret === undefined
        ? { webhook, created: false }
        : { webhook: { ...webhook, signing_secret: signingSecret }, created: true };
    },

    // At most fifty: all are read, and the page is cut from them.
    async list(accountId, page) {
      const cursor = openCursor(cursors, { accountId, list: "webhooks", filters: {}, page });
      const lastSeen = cursor.position?.[0];
      const all = await listWebhookRows(store, accountId);
      const rest = typeof lastSeen === "string" ? all.filter(({ id }) => id < lastSeen) : all;
      const shown = rest.slice(0, page.limit);
      const last = shown.at(-1);
      const more = rest.length > shown.length && last !== undefined;
      return {
        rows: await readWebhooks(store, accountId, shown),
        meta: { has_more: more, next_cursor: more ? cursor.seal([last.id]) : null },
      };
    },

    async get(accountId, webhookId) {
      return readOne(accountId, await expectRow(accountId, webhookId));
    },

    async remove(accountId, webhookId) {
      const lanes = await commitUntilDone(store, partitionOf(accountId), async () => {
        const row = await expectRow(accountId, webhookId);
        const removal = await removeWebhooks(store, accountId, [row]);
        return {
          commit: { checks: removal.checks, mutations: removal.mutations, wake: true },
          result: removal.lanes,
        };
      });
      lanes.forEach((lane) => scheduler.wake(lane));
      return { id: webhookId, deleted: true };
    },
  };
}
