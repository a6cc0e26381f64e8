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
  /** One of those that are known, which editors offer, or one of a later version of the API. */
  readonly event: EventName | (string & {});
}

/** `signing_secret` is there when `created` is true, and never again. */
export type WebhookCreation =
  | { readonly created: true; readonly webhook: CreatedWebhook }
  | { readonly created: false; readonly webhook: Webhook };

export interface Webhooks {
  /** The account's webhooks, 50 at the most. */
  list(query?: ListQuery, options?: CallOptions): List<Webhook>;
  /**
   * Subscribes a URL to an event. The same URL for the same event again gives the webhook there is, unchanged. Only a
   * `rate_limited` is retried: after a lost answer the webhook would be found, and its secret never seen.
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
   * Removes a webhook. If the answer is lost, or a 502, 503 or 504, and a repetition does not find the webhook, that counts as done,
   * also where there never was one.
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
      throw answer.unexpected("a new webhook that has no signing_secret");
    },

    get: async (id, options = {}) =>
      readData<Webhook>(await send(operations.getWebhook, { ...options, parameters: { id } })),

    async delete(id, options = {}) {
      try {
        return readData<Deleted>(await send(operations.deleteWebhook, { ...options, parameters: { id } }));
      } catch (error) {
        if (isGoneByOurselves(error)) return { id, deleted: true };
        throw error;
      }
    },
  };
}

/** An attempt that may have removed it, for its answer was lost, or a 502, 503 or 504, came before the one that found nothing. */
function isGoneByOurselves(error: unknown): boolean {
  return error instanceof ClientError && error.code === "resource_not_found" && error.outcomeUnknown;
}
