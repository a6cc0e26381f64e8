import type {
  CreatedWebhook,
  Deleted,
  EventName,
  InputBody,
  Webhook,
  WebhookInputBody as WireBody,
} from "@hookwright/domain";
import { ClientError } from "../client-error.ts";
import { readData } from "../http/read-envelope.ts";
import type { List, ListQuery } from "../list.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";
import { listOperation } from "./list-operation.ts";

export interface WebhookInputBody extends InputBody<Omit<WireBody, "event">> {
  /** A known event, which editors suggest, or an event of a later API version. */
  readonly event: EventName | (string & {});
}

/** `signing_secret` is only returned if `created` is true. */
export type WebhookCreation =
  | { readonly created: true; readonly webhook: CreatedWebhook }
  | { readonly created: false; readonly webhook: Webhook };

export interface Webhooks {
  /** Lists the account's webhooks, at most 50. */
  list(query?: ListQuery, options?: CallOptions): List<Webhook>;
  /**
   * Subscribes a URL to an event. If the webhook exists, returns it unchanged. Only `rate_limited` is
   * retried, because a retry after a lost response would not return the secret.
   *
   * @throws ClientError `unknown_event`, `invalid_target_url`, `invalid_project`, `webhook_limit_reached`
   * @example
   * const { created, webhook } = await client.webhooks.create({ event: "order.paid", target_url: "https://example.com/hooks" });
   * if (created) await keep(webhook.signing_secret);
   */
  create(body: WebhookInputBody, options?: CallOptions): Promise<WebhookCreation>;
  /** @throws ClientError `resource_not_found` */
  get(id: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Deletes a webhook. An attempt with an unknown outcome (a lost response, 502, 503 or 504) is retried. If
   * the retry does not find the webhook, the call succeeds.
   *
   * @throws ClientError `resource_not_found`
   */
  delete(id: string, options?: CallOptions): Promise<Deleted>;
}

export function createWebhooks(send: Send): Webhooks {
  return {
    list: (query, options) => listOperation(send, operations.listWebhooks, { query: { ...query } }, options),

    async create(body, options = {}) {
      const answer = await send(operations.createWebhook, { ...options, body });
      const webhook = readData<Webhook | CreatedWebhook>(answer);
      if (answer.status !== 201) return { created: false, webhook };
      if ("signing_secret" in webhook && typeof webhook.signing_secret === "string")
        return { created: true, webhook };
      throw answer.unexpected("a new webhook without signing_secret");
    },

    get: async (id, options = {}) =>
      readData<Webhook>(await send(operations.getWebhook, { ...options, parameters: { id } })),

    async delete(id, options = {}) {
      try {
        return readData<Deleted>(await send(operations.deleteWebhook, { ...options, parameters: { id } }));
      } catch (error) {
        if (isDeletedByEarlierAttempt(error)) return { id, deleted: true };
        throw error;
      }
    },
  };
}

/** Returns whether an earlier attempt of this call may have deleted it, because its outcome is unknown. */
function isDeletedByEarlierAttempt(error: unknown): boolean {
  return error instanceof ClientError && error.code === "resource_not_found" && error.outcomeUnknown;
}
