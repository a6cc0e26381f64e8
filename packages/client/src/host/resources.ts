import type {
  AccountInput,
  ApiKeyInput,
  Attempt,
  ConsoleLink,
  ConsoleLinkInput,
  ConsoleWebhook,
  ConsoleWebhookInputBody,
  CreatedApiKey,
  CreatedConsoleWebhook,
  DeclaredEventInput,
  Deleted,
  EmailList,
  EmailListInput,
  Erasure,
  ErasureInput,
  EventInput,
  EventName,
  HostAccount,
  HostEventType,
  HostSearch,
  HostStats,
  HostSubscriberInput,
  HostWebhook,
  InputBody,
  Ledger,
  ListedAccount,
  ListedAuditEntry,
  NoticeEndpoint,
  NoticeEndpointInput,
  OutboxCounts,
  Person,
  Project,
  ProjectInput,
  PublishedEvent,
  PutNoticeEndpoint,
  ReadAccount,
  Recovery,
  RecoveryInput,
  RefusedEvent,
  RejectedEvent,
  RejectedEventRetry,
  Resend,
  ResendInput,
  ResendPreview,
  StartedErasure,
  RetriedEvent,
  SentNotice,
  Subscriber,
  SuppressionInput,
  TestInput,
  TimeInput,
  WebhookAction,
  WebhookActionInput,
  WebhookActionPreview,
} from "@hookwright/domain";
import type { List, ListQuery, PageMeta } from "../list.ts";
import type { CallOptions } from "../options.ts";
import type { GetOpenApi } from "../resources.ts";

/** What a host token without the scope `read` gets: the fields that were sent. */
export type Sent<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Field in keyof Value]?: Sent<Value[Field]> | undefined }
    : Value;

/** The object after a `PUT`. If it existed, it has all fields only for a host token with the scope `read`. */
export type Put<Value> =
  | { readonly created: true; readonly data: Value }
  | { readonly created: false; readonly data: Sent<Value> };

export interface AccountQuery extends ListQuery {
  readonly status?: "active" | "suspended" | undefined;
  /** A part of the id, the name or the e-mail address. */
  readonly q?: string | undefined;
  /** Lists the accounts with events in the period, most first, or those with the largest delivery logs first. @default by id */
  readonly sort?: "not_delivered" | "failed" | "volume" | "log_size" | undefined;
  readonly period?: "1h" | "24h" | "7d" | "30d" | undefined;
}

export interface LedgerQuery {
  /** ISO 8601. @default 24 hours before `until` */
  readonly since?: string | undefined;
  /** ISO 8601. @default now */
  readonly until?: string | undefined;
  /** Seconds, whole minutes. */
  readonly step?: number | undefined;
  readonly webhook_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly event?: string | undefined;
  /** `webhook`: also the totals of each webhook. */
  readonly by?: "webhook" | undefined;
}

export interface Accounts {
  put(id: string, body: InputBody<AccountInput>, options?: CallOptions): Promise<Put<HostAccount>>;
  list(query?: AccountQuery, options?: CallOptions): List<ListedAccount>;
  /** `delivery_in_effect` has the rules of its deliveries. @throws ClientError `resource_not_found` */
  get(id: string, options?: CallOptions): Promise<ReadAccount>;
  /** What became of the events of the account. */
  ledger(id: string, query?: LedgerQuery, options?: CallOptions): Promise<Ledger>;
  /** The people of the account, with open invitations, on one page. */
  people(id: string, options?: CallOptions): List<Person>;
  /** Removes all data of the account. It takes up to 20 s. */
  delete(id: string, options?: CallOptions): Promise<Deleted>;
}

export interface Projects {
  /** `account_id` is required for a new site. */
  put(id: string, body: InputBody<ProjectInput>, options?: CallOptions): Promise<Put<Project>>;
}

export interface EmailLists {
  /** `project_id` is required for a new list. */
  put(id: string, body: InputBody<EmailListInput>, options?: CallOptions): Promise<Put<EmailList>>;
}

export interface ApiKeys {
  /** `api_key` of the response is the key, only this once. */
  create(accountId: string, body: InputBody<ApiKeyInput>, options?: CallOptions): Promise<CreatedApiKey>;
  revoke(id: string, options?: CallOptions): Promise<{ readonly id: string; readonly revoked: true }>;
}

export interface ConsoleSessions {
  /** Creates a link that opens the console once. Its `url` is relative to the server, unless the server has a public URL. */
  create(accountId: string, body?: InputBody<ConsoleLinkInput>, options?: CallOptions): Promise<ConsoleLink>;
  /** Ends all sessions of the account and its unused links. */
  end(accountId: string, options?: CallOptions): Promise<{ readonly id: string; readonly signed_out: true }>;
}

/** An event to publish. `data` of the events of the specification is typed by `event`. */
export interface PublishInput<Name extends string = string> {
  readonly event: Name;
  readonly project_id: string;
  readonly data: Name extends EventName ? EventInput[Name] : object;
  /**
   * The id of an event of your own that happens more than once for a record. The body then has `<event>_<id>`.
   * @default the id of the record: the event happens once for it
   */
  readonly id?: string | number | null | undefined;
  /** When `data` was read. An older snapshot never replaces a newer one. */
  readonly as_of?: TimeInput | null | undefined;
}

export interface Events {
  /**
   * Publishes one event. Publishing the same event of the same record again sends nothing and returns `duplicate`, so an
   * attempt with an unknown outcome is repeated.
   *
   * @throws ClientError `validation_failed`, `unknown_event`
   */
  publish<Name extends EventName | (string & {})>(
    event: PublishInput<Name>,
    options?: CallOptions,
  ): Promise<PublishedEvent>;
  /** Publishes up to 1,000 events. An event that is refused does not stop the others. */
  publishMany(
    events: readonly PublishInput[],
    options?: CallOptions,
  ): Promise<readonly (PublishedEvent | RefusedEvent)[]>;
}

export interface Records {
  /** @param kind `orders`, `bookings`, `rentals`, `subscribers`, `enquiries`, `reviews`, or the name of an own event */
  delete(accountId: string, kind: string, record: string, options?: CallOptions): Promise<Deleted>;
}

export interface Subscribers {
  /** Creates or updates a subscriber of a site. No event is published. */
  put(
    projectId: string,
    email: string,
    body: InputBody<HostSubscriberInput>,
    options?: CallOptions,
  ): Promise<Put<Subscriber>>;
}

export type Suppression = SuppressionInput & { readonly email: string };

/** Addresses to which no mail is sent. */
export interface Suppressions {
  put(email: string, body: SuppressionInput, options?: CallOptions): Promise<Put<Suppression>>;
  delete(email: string, options?: CallOptions): Promise<{ readonly email: string; readonly deleted: true }>;
}

export interface WebhookQuery extends ListQuery {
  readonly account_id?: string | undefined;
  readonly status?: "active" | "paused" | "switched_off" | "disabled_by_host" | undefined;
  /** The webhooks with most waiting deliveries come first, on one page. */
  readonly sort?: "waiting" | undefined;
}

export type WebhookCreation =
  | { readonly created: true; readonly webhook: CreatedConsoleWebhook }
  | { readonly created: false; readonly webhook: ConsoleWebhook };

/** Each change returns the webhook as it is then. If its status does not allow the change, it fails with `invalid_state`. */
export interface Webhooks {
  list(query?: WebhookQuery, options?: CallOptions): List<HostWebhook>;
  /** Only a created webhook has its `signing_secret`, and only this once. */
  create(accountId: string, body: ConsoleWebhookInputBody, options?: CallOptions): Promise<WebhookCreation>;
  /** Its owner sees the reason, and can neither enable it nor make another webhook with its URL. */
  disable(id: string, body: { readonly reason: string }, options?: CallOptions): Promise<ConsoleWebhook>;
  /** Limits the requests in a second. The lower of this and of the owner's limit counts. Null removes this limit. */
  limit(
    id: string,
    body: { readonly max_per_second: number | null },
    options?: CallOptions,
  ): Promise<ConsoleWebhook>;
  enable(id: string, options?: CallOptions): Promise<ConsoleWebhook>;
  pause(id: string, options?: CallOptions): Promise<ConsoleWebhook>;
  resume(id: string, options?: CallOptions): Promise<ConsoleWebhook>;
  /** Turns on a webhook that was switched off after failures. */
  turnOn(id: string, options?: CallOptions): Promise<ConsoleWebhook>;
  /** Sends a test and waits for the response of the endpoint. */
  test(id: string, body?: InputBody<TestInput>, options?: CallOptions): Promise<Attempt>;
  /** Sends again what failed or was cancelled since a time, in the background. */
  recover(id: string, body: InputBody<RecoveryInput>, options?: CallOptions): Promise<Recovery>;
}

/** Jobs that change all webhooks of a filter, in the background. */
export interface WebhookActions {
  start(body: InputBody<Omit<WebhookActionInput, "dry_run">>, options?: CallOptions): Promise<WebhookAction>;
  /** Counts the webhooks. Nothing changes. */
  preview(
    body: InputBody<Omit<WebhookActionInput, "dry_run">>,
    options?: CallOptions,
  ): Promise<WebhookActionPreview>;
  list(query?: ListQuery, options?: CallOptions): List<WebhookAction>;
  get(id: string, options?: CallOptions): Promise<WebhookAction>;
  /** @throws ClientError `invalid_state` if it has ended */
  stop(id: string, options?: CallOptions): Promise<WebhookAction>;
}

/** Jobs that send deliveries of an account again, in the background. */
export interface Resends {
  start(
    accountId: string,
    body: InputBody<Omit<ResendInput, "dry_run">>,
    options?: CallOptions,
  ): Promise<Resend>;
  /** Counts the deliveries. Nothing is sent. */
  preview(
    accountId: string,
    body: InputBody<Omit<ResendInput, "dry_run">>,
    options?: CallOptions,
  ): Promise<ResendPreview>;
  list(accountId: string, query?: ListQuery, options?: CallOptions): List<Resend>;
  get(accountId: string, job: string, options?: CallOptions): Promise<Resend>;
  /** @throws ClientError `invalid_state` if it has ended */
  stop(accountId: string, job: string, options?: CallOptions): Promise<Resend>;
}

/** Erases the data of a person from an account, in the background. */
export interface Erasures {
  start(accountId: string, body: ErasureInput, options?: CallOptions): Promise<StartedErasure>;
  /** The receipt, or the progress. */
  get(accountId: string, erasure: string, options?: CallOptions): Promise<Erasure>;
}

export interface Contacts {
  /** Removes the contact, and the subscriptions of its address on its site. Nothing is sent. */
  delete(accountId: string, contact: string, options?: CallOptions): Promise<Deleted>;
}

export interface AuditQuery {
  readonly account_id?: string | undefined;
  readonly action?: string | undefined;
  /** The kind, the id or the name of an actor. */
  readonly actor?: string | undefined;
  /** At this time or later: ISO 8601. */
  readonly since?: string | undefined;
  /** Before this time: ISO 8601. */
  readonly until?: string | undefined;
}

/** Who changed what, newest first. */
export interface Audit {
  /** A page may be short although more follow. */
  list(query?: AuditQuery & ListQuery, options?: CallOptions): List<ListedAuditEntry>;
  /** Returns all entries as the text of a file, which must fit into `responseLimitBytes`. @default CSV */
  export(query?: AuditQuery & { readonly format?: "csv" | "ndjson" }, options?: CallOptions): Promise<string>;
}

/** The URL that gets notices of all accounts. */
export interface NoticeEndpointCalls {
  /** The first response has its `signing_secret`. */
  put(body: InputBody<NoticeEndpointInput>, options?: CallOptions): Promise<Put<PutNoticeEndpoint>>;
  /** @throws ClientError `resource_not_found` if none is set */
  get(options?: CallOptions): Promise<NoticeEndpoint>;
  delete(options?: CallOptions): Promise<{ readonly url: string; readonly deleted: true }>;
}

/** The events of the server, and those that you declare without a program in JavaScript. */
export interface EventTypes {
  list(options?: CallOptions): Promise<readonly HostEventType[]>;
  /** Declares an event, or replaces its declaration. @throws ClientError `invalid_state` for an event of the server itself */
  put(name: string, body: DeclaredEventInput, options?: CallOptions): Promise<Put<HostEventType>>;
  /** @throws ClientError `invalid_state` while webhooks name it */
  delete(name: string, options?: CallOptions): Promise<Deleted>;
}

/** The events of the outbox that could not be published. `data` is read as `JSON.parse` does: numbers beyond 2 ** 53 are rounded. */
export interface Outbox {
  count(options?: CallOptions): Promise<OutboxCounts>;
  list(query?: ListQuery, options?: CallOptions): List<RejectedEvent>;
  get(id: string, options?: CallOptions): Promise<RejectedEvent>;
  /** Publishes it again, corrected or as it is. Without `data`, its numbers keep all digits. @throws ClientError `validation_failed` if it is still wrong */
  retry(id: string, body?: InputBody<RejectedEventRetry>, options?: CallOptions): Promise<RetriedEvent>;
  delete(id: string, options?: CallOptions): Promise<Deleted>;
}

export interface SearchResult {
  readonly data: HostSearch;
  /** Accounts that were not searched yet: pass `next_cursor` as `cursor`. */
  readonly meta: PageMeta;
}

/**
 * The operations of the host API. Bodies, filters and responses use the field names of the API (`project_id`). The last
 * argument of every call is `{ signal }`. Calls fail with a `ClientError`.
 */
export interface HostClient {
  readonly accounts: Accounts;
  readonly projects: Projects;
  readonly emailLists: EmailLists;
  readonly apiKeys: ApiKeys;
  readonly consoleSessions: ConsoleSessions;
  readonly events: Events;
  readonly eventTypes: EventTypes;
  readonly records: Records;
  readonly subscribers: Subscribers;
  readonly suppressions: Suppressions;
  readonly webhooks: Webhooks;
  readonly webhookActions: WebhookActions;
  readonly resends: Resends;
  readonly erasures: Erasures;
  readonly contacts: Contacts;
  readonly audit: Audit;
  readonly noticeEndpoint: NoticeEndpointCalls;
  readonly outbox: Outbox;
  readonly notices: { list(query?: ListQuery, options?: CallOptions): List<SentNotice> };
  /** Accounts, webhooks and deliveries that a text names. A call takes about two seconds at most. */
  search(
    query: { readonly q: string; readonly cursor?: string | null | undefined },
    options?: CallOptions,
  ): Promise<SearchResult>;
  /** Numbers over all accounts. */
  stats(options?: CallOptions): Promise<HostStats>;
  /** The OpenAPI document of the host API. */
  readonly openApi: GetOpenApi;
}
