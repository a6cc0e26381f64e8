import type {
  Account,
  BlogPost,
  BlogPostInput as BlogPostBody,
  Contact,
  ContactInputBody as ContactBody,
  CreatedWebhook,
  Deleted,
  DeliveryBody as WireDelivery,
  EmailList,
  EventName,
  EventType as WireEventType,
  InputBody,
  Order,
  OtherDeliveryBody,
  Project,
  Subscriber,
  SubscriberInputBody as SubscriberBody,
  Webhook,
  WebhookInputBody,
} from "@hookwright/domain";
import { createCalls } from "./calls.ts";
import { readData, readOpenApi, toCreation } from "./http/read-answer.ts";
import type { OpenApiDocument } from "./http/read-answer.ts";
import type { List, ListQuery } from "./list.ts";
import { operations } from "./operations.ts";
import type { CallOptions } from "./options.ts";
import type { Send } from "./send.ts";

/** Returns the account of the key, with its time zone and the contents of its plan. */
export type GetAccount = (options?: CallOptions) => Promise<Account>;

export interface Projects {
  /** Lists the account's sites. Their `id` is the `project_id` of other calls. */
  list(query?: ListQuery, options?: CallOptions): List<Project>;
}

/**
 * The body that a webhook delivers. For several events it is a union that `event` narrows. An event that the
 * service has added to those of the specification has untyped `data`.
 */
export type DeliveryBody<Name extends string = EventName> = Name extends EventName
  ? WireDelivery<Name>
  : Omit<OtherDeliveryBody, "event"> & { readonly event: Name };

export interface EventType extends Omit<WireEventType, "sample"> {
  readonly sample: DeliveryBody | OtherDeliveryBody;
}

export interface SampleQuery {
  /** Only records of this site. */
  readonly project_id?: string | undefined;
  /** 1 to 10. @default 10 */
  readonly limit?: number | undefined;
}

/** Both lists have only one page, so `toArray()` is one request. */
export interface EventTypes {
  /** Lists the events of webhooks, each with a fixed, complete delivery body. */
  list(options?: CallOptions): List<EventType>;
  /**
   * Lists the account's newest records of an event, exactly as a webhook delivers them.
   *
   * @throws ClientError `unknown_event`
   */
  samples<Name extends EventName | (string & {})>(
    event: Name,
    query?: SampleQuery,
    options?: CallOptions,
  ): List<DeliveryBody<Name>>;
}

/** `signing_secret` is only returned if `created` is true. */
export type WebhookCreation =
  | { readonly created: true; readonly webhook: CreatedWebhook }
  | { readonly created: false; readonly webhook: Webhook };

export interface Webhooks {
  /** Lists the account's webhooks, at most 50. */
  list(query?: ListQuery, options?: CallOptions): List<Webhook>;
  /**
   * Subscribes a URL to one event, several or all (`events: ["*"]`). If the webhook exists, returns it unchanged. Only `rate_limited` is
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

/** Empty filters (`""`) are ignored, as everywhere in the API. */
export interface ContactQuery extends ListQuery {
  readonly project_id?: string | undefined;
  /** Compared case-insensitively. */
  readonly email?: string | undefined;
}

/** A `Contact` is also accepted. Its other fields are ignored. */
export type ContactInputBody = InputBody<ContactBody>;

export interface SavedContact {
  /** False if the contact existed, or if an earlier attempt with a lost response created it. */
  readonly created: boolean;
  readonly contact: Contact;
}

/** Contacts require a plan with the CRM. Otherwise calls fail with `plan_required`. */
export interface Contacts {
  list(query?: ContactQuery, options?: CallOptions): List<Contact>;
  /**
   * Creates the contact, or updates the one with this e-mail address on the site. `name`, `phone` and `notes`
   * replace stored values, `tags` are added, omitted fields stay.
   *
   * @throws ClientError `validation_failed`
   */
  save(body: ContactInputBody, options?: CallOptions): Promise<SavedContact>;
  /** @throws ClientError `resource_not_found` */
  get(id: string, options?: CallOptions): Promise<Contact>;
}

export type SubscriberInputBody = InputBody<SubscriberBody>;

export interface CreatedSubscriber {
  /** False if the person was known, or if an earlier attempt with a lost response subscribed them. */
  readonly created: boolean;
  readonly subscriber: Subscriber;
}

export interface Subscribers {
  /**
   * Subscribes a person at once, without confirmation. A known person is added to the list, gets the tags and
   * keeps the status: an unsubscribed person stays unsubscribed.
   *
   * @throws ClientError `validation_failed`, `invalid_list`, `email_rejected`, `plan_limit_reached`
   */
  create(body: SubscriberInputBody, options?: CallOptions): Promise<CreatedSubscriber>;
}

/** Empty filters (`""`) are ignored, as everywhere in the API. */
export interface EmailListQuery extends ListQuery {
  readonly project_id?: string | undefined;
}

export interface EmailLists {
  /** Lists the account's email lists. Their `id` is a `list_id` of their site. */
  list(query?: EmailListQuery, options?: CallOptions): List<EmailList>;
}

export type BlogPostInput = InputBody<BlogPostBody>;

export interface BlogPosts {
  /**
   * Creates a draft without publishing it. Only `rate_limited` is retried, because other retries could create
   * a second draft.
   *
   * @throws ClientError `validation_failed`, `plan_limit_reached`
   */
  create(body: BlogPostInput, options?: CallOptions): Promise<BlogPost>;
}

/**
 * Filters match exactly and are combined with AND. Empty filters (`""`) are ignored, as everywhere in the
 * API.
 */
export interface OrderQuery extends ListQuery {
  readonly number?: string | undefined;
  /** The customer's address, compared case-insensitively. */
  readonly email?: string | undefined;
  /** `pending`, `paid`, or another status. */
  readonly status?: string | undefined;
  readonly project_id?: string | undefined;
}

export interface Orders {
  list(query?: OrderQuery, options?: CallOptions): List<Order>;
  /** @throws ClientError `resource_not_found` */
  get(id: string, options?: CallOptions): Promise<Order>;
}

/** Returns the OpenAPI document. The request is sent without the key. */
export type GetOpenApi = (options?: CallOptions) => Promise<OpenApiDocument>;

/**
 * The operations of the API. Bodies, filters and responses use the field names of the API (`project_id`). The
 * last argument of every call is `{ signal }`. Calls fail with a `ClientError`.
 */
export interface Client {
  readonly me: GetAccount;
  readonly projects: Projects;
  readonly eventTypes: EventTypes;
  readonly webhooks: Webhooks;
  readonly contacts: Contacts;
  readonly subscribers: Subscribers;
  readonly emailLists: EmailLists;
  readonly blogPosts: BlogPosts;
  readonly orders: Orders;
  readonly openApi: GetOpenApi;
}

export function createResources(send: Send): Client {
  const { read, readById, remove, list, listAll } = createCalls(send);
  return {
    me: (options = {}) => read(operations.getAccount, options),
    projects: { list: listAll(operations.listProjects) },
    eventTypes: {
      list: (options) => list(operations.listEventTypes, {}, options),
      samples: (event, query, options) =>
        list(operations.listSamples, { parameters: { type: event }, query }, options),
    },
    webhooks: {
      list: listAll(operations.listWebhooks),
      async create(body, options = {}) {
        return toCreation<Webhook, CreatedWebhook>(
          await send(operations.createWebhook, { ...options, body }),
        );
      },
      get: readById(operations.getWebhook),
      delete: (id, options = {}) =>
        remove(operations.deleteWebhook, { ...options, parameters: { id } }, { id, deleted: true }),
    },
    contacts: {
      list: listAll(operations.listContacts),
      async save(body, options = {}) {
        const answer = await send(operations.writeContact, { ...options, body });
        return { created: answer.status === 201, contact: readData<Contact>(answer) };
      },
      get: readById(operations.getContact),
    },
    subscribers: {
      async create(body, options = {}) {
        const answer = await send(operations.subscribe, { ...options, body });
        return { created: answer.status === 201, subscriber: readData<Subscriber>(answer) };
      },
    },
    emailLists: { list: listAll(operations.listEmailLists) },
    blogPosts: { create: (body, options = {}) => read(operations.createBlogPost, { ...options, body }) },
    orders: { list: listAll(operations.listOrders), get: readById(operations.getOrder) },
    openApi: async (options = {}) => readOpenApi(await send(operations.getOpenApiDocument, options)),
  };
}
