import type {
  ApiKey,
  Attempt,
  BlogPost,
  ConsoleWebhook,
  Contact,
  CreatedWebhook,
  Delivery,
  DeliveryDetail,
  EmailList,
  ErrorCode,
  EventName,
  EventType,
  HostAccount,
  Project,
  Session,
  Subscriber,
  ValidEvent,
  Webhook,
} from "@hookwright/domain";

/** Who is calling: the account, and the credential that proved it. */
export interface Caller {
  readonly accountId: string;
  readonly credential:
    | { readonly type: "key"; readonly keyId: string; readonly name: string; readonly integration: boolean }
    | { readonly type: "console" };
  /** `suspended` and the plan are judged by the edge, in the order the contract fixes. */
  readonly account: HostAccount;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** A record as the JSON text it was stored in: it is spliced into answers and deliveries without being parsed again. */
export interface RecordText {
  readonly json: string;
}

export interface OrderFilters {
  readonly number?: string | undefined;
  readonly email?: string | undefined;
  readonly status?: string | undefined;
  readonly project_id?: string | undefined;
}

export interface PublishResult {
  /** The body id, `<event>_<record_id>`. */
  readonly id: string;
  /** Ids of the deliveries made (those of the first publish, when this one is a duplicate: none). */
  readonly deliveries: readonly string[];
  readonly duplicate: boolean;
  /** Paths in `data` of the fields that were filled or changed, such as `customer.email`. */
  readonly adjusted: readonly string[];
}

/** Inputs of the host are `unknown`: every use case parses what it is given and throws `validation_failed`. */
export interface AccountUseCases {
  put(
    accountId: string,
    input: unknown,
  ): Promise<{ readonly account: HostAccount; readonly created: boolean }>;
  get(accountId: string): Promise<HostAccount>;
}

/** Where a request comes from. */
export interface ClientAddress {
  /** The IP address of the client. @default unknown */
  readonly clientAddress?: string | undefined;
  /** A trusted proxy named the address. It is then the client's own, even if it is private. @default false */
  readonly isForwarded?: boolean | undefined;
}

/** Sign-ins of the developer console. */
export interface SessionUseCases {
  /**
   * @param client the client's address, by which limits count: that of the connection, or the one that a trusted proxy named. Never take
   * it from a header that the client itself can write
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  create(input: unknown, client?: ClientAddress): Promise<Session>;
  /** Signs out. A token that is unknown is no error: it is of no use to anybody either way. */
  remove(token: string): Promise<{ readonly signed_out: true }>;
}

export interface ProjectUseCases {
  put(projectId: string, input: unknown): Promise<{ readonly project: Project; readonly created: boolean }>;
  list(accountId: string, page: PageRequest): Promise<Page<Project>>;
}

export interface EmailListUseCases {
  put(listId: string, input: unknown): Promise<{ readonly emailList: EmailList; readonly created: boolean }>;
  list(
    accountId: string,
    filters: { readonly project_id?: string | undefined },
    page: PageRequest,
  ): Promise<Page<EmailList>>;
}

export interface ApiKeyUseCases {
  /** The answer is the only place where `api_key` ever appears. @throws `invalid_state` with 100 keys that are not revoked */
  create(accountId: string, input: unknown): Promise<ApiKey & { readonly api_key: string }>;
  list(accountId: string, page: PageRequest): Promise<Page<ApiKey>>;
  /** Stops the key at once, removes its webhooks, cancels their pending deliveries. Without `accountId`: any account (host). */
  revoke(keyId: string, accountId?: string): Promise<{ readonly id: string; readonly revoked: true }>;
}

/** `signing_secret` is there when `created` is true, and never again. */
export type WebhookCreation =
  | { readonly created: true; readonly webhook: CreatedWebhook }
  | { readonly created: false; readonly webhook: Webhook & { readonly signing_secret?: undefined } };

export interface WebhookUseCases {
  /** `created` false: the existing webhook, unchanged and without its secret. */
  create(caller: Pick<Caller, "accountId" | "credential">, input: unknown): Promise<WebhookCreation>;
  list(accountId: string, page: PageRequest): Promise<Page<Webhook>>;
  get(accountId: string, webhookId: string): Promise<Webhook>;
  remove(accountId: string, webhookId: string): Promise<{ readonly id: string; readonly deleted: true }>;

  /** The same webhooks with what only their owner sees. */
  listForConsole(accountId: string, page: PageRequest): Promise<Page<ConsoleWebhook>>;
  getForConsole(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  /** Each throws `invalid_state` where the webhook's state does not allow it. */
  pause(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  resume(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  turnOn(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  /** The answer is the only place where the new `signing_secret` ever appears. Deliveries keep the old one until it is finished. */
  rotate(accountId: string, webhookId: string): Promise<ConsoleWebhook & { readonly signing_secret: string }>;
  finishRotation(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  cancelRotation(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  /**
   * One try, now, with sample data; logged as a test, and no counter of the webhook moves.
   *
   * @throws HookwrightError `resource_not_found`, `invalid_state`; `rate_limited` while too many tests are under way
   */
  sendTest(accountId: string, webhookId: string): Promise<Attempt>;
}

export interface OrderUseCases {
  list(accountId: string, filters: OrderFilters, page: PageRequest): Promise<Page<RecordText>>;
  get(accountId: string, orderId: string): Promise<RecordText>;
}

/** Exact values; what is left out is any. Editors offer those that there are; of any other value there are no deliveries. */
export interface DeliveryFilters {
  readonly webhook_id?: string | undefined;
  readonly event?: Delivery["event"] | (string & {}) | undefined;
  readonly status?: Delivery["status"] | (string & {}) | undefined;
  readonly project_id?: string | undefined;
  readonly kind?: Delivery["kind"] | (string & {}) | undefined;
  /** A delivery's id, a body's id, or a record's. */
  readonly q?: string | undefined;
}

export interface DeliveryUseCases {
  /** The log, newest first. A page may hold fewer than asked for although there are more. */
  list(accountId: string, filters: DeliveryFilters, page: PageRequest): Promise<Page<Delivery>>;
  /** Sends the record of a delivery again, as it is now, under the same body id. @throws `account_unavailable`, `plan_required`, `invalid_state`, `resource_not_found` */
  resend(accountId: string, deliveryId: string): Promise<Delivery>;
  get(accountId: string, deliveryId: string): Promise<DeliveryDetail>;
}

export interface RecordUseCases {
  remove(
    accountId: string,
    kind: string,
    recordId: string,
  ): Promise<{ readonly id: string; readonly deleted: true }>;
}

export interface ContactUseCases {
  /** `POST /v1/contacts`: creates, or updates the one with this address on this site. */
  write(accountId: string, input: unknown): Promise<{ readonly contact: Contact; readonly created: boolean }>;
  list(
    accountId: string,
    filters: { readonly project_id?: string | undefined; readonly email?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Contact>>;
  get(accountId: string, contactId: string): Promise<Contact>;
}

export interface BlogPostUseCases {
  /** Always creates a draft. */
  create(accountId: string, input: unknown): Promise<BlogPost>;
}

export interface EventTypeUseCases {
  list(): readonly EventType[];
  /** The newest records published under an event, each as the complete body of a delivery, as JSON text. */
  samples(
    accountId: string,
    event: string,
    options: { readonly project_id?: string | undefined; readonly limit: number },
  ): Promise<readonly RecordText[]>;
}

export interface SubscriberUseCases {
  /** `POST /v1/subscribers`: somebody new emits `subscriber.created`. */
  subscribe(
    accountId: string,
    input: unknown,
  ): Promise<{ readonly subscriber: Subscriber; readonly created: boolean }>;
  /** The host's own write: emits nothing. */
  put(
    projectId: string,
    email: string,
    input: unknown,
  ): Promise<{ readonly subscriber: Subscriber; readonly created: boolean }>;
}

export interface SuppressionUseCases {
  put(
    email: string,
    input: unknown,
  ): Promise<{
    readonly email: string;
    readonly reason: "bounced" | "complained";
    readonly created: boolean;
  }>;
  remove(email: string): Promise<{ readonly email: string; readonly deleted: true }>;
}

export interface Service {
  /** @throws HookwrightError `invalid_api_key`, `console_token_expired` */
  authenticate(token: string): Promise<Caller>;
  publish(input: unknown): Promise<PublishResult>;
  /** What `publish` would make of an event, without publishing it. @throws HookwrightError `validation_failed`, `unknown_event` */
  validateEvent<Name extends EventName>(input: unknown): Promise<ValidEvent<Name>>;
  /** One entry for each item in order: a bad item never stops the others. */
  publishMany(
    inputs: readonly unknown[],
  ): Promise<
    readonly (PublishResult | { readonly error: { readonly code: ErrorCode; readonly message: string } })[]
  >;
  readonly sessions: SessionUseCases;
  readonly accounts: AccountUseCases;
  readonly projects: ProjectUseCases;
  readonly emailLists: EmailListUseCases;
  readonly apiKeys: ApiKeyUseCases;
  readonly webhooks: WebhookUseCases;
  readonly orders: OrderUseCases;
  readonly deliveries: DeliveryUseCases;
  readonly records: RecordUseCases;
  readonly contacts: ContactUseCases;
  readonly blogPosts: BlogPostUseCases;
  readonly eventTypes: EventTypeUseCases;
  readonly subscribers: SubscriberUseCases;
  readonly suppressions: SuppressionUseCases;
  /** Resolves when no test of a webhook is under way: before what sends them is closed. */
  testsEnded(): Promise<void>;
}
