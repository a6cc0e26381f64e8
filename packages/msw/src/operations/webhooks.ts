import { pageOf } from "../lists/page-of.ts";
import type { Operation } from "../routing/operation.ts";
import { createWebhook } from "../rules/create-webhook.ts";
import { expectWebhook } from "../state/expect-webhook.ts";

export const webhookOperations: readonly Operation[] = [
  {
    name: "GET /v1/webhooks",
    operationId: "listWebhooks",
    query: ["limit", "cursor"],
    handle: ({ world, query: { limit, cursor } }) =>
      pageOf(world.cursors, {
        list: "webhooks",
        filters: {},
        limit,
        cursor,
        rows: [...world.webhooks.values()],
      }),
  },
  {
    name: "POST /v1/webhooks",
    operationId: "createWebhook",
    changes: true,
    hasBody: true,
    handle: ({ world, body, apiKey }) => {
      const { row, created } = createWebhook(world, body, { apiKey });
      const { value, signingSecret } = row;
      return { data: created ? { ...value, signing_secret: signingSecret } : value, created };
    },
  },
  {
    name: "GET /v1/webhooks/{id}",
    operationId: "getWebhook",
    handle: ({ world, parameter }) => ({ data: expectWebhook(world, parameter).value }),
  },
  {
    name: "DELETE /v1/webhooks/{id}",
    operationId: "deleteWebhook",
    changes: true,
    handle: ({ world, parameter }) => {
      const { id } = expectWebhook(world, parameter);
      world.webhooks.delete(id);
      return { data: { id, deleted: true } };
    },
  },
];
