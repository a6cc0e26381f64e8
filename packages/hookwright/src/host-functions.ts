import type {
  DeliveryBody,
  KnownEventName,
  Ledger,
  NoOwnEvents,
  Order,
  OwnDeliveryBody,
  OwnEvents,
  PublishInput,
  ConsoleWebhookInputBody,
  WebhookInputBody,
} from "@hookwright/domain";
import type {
  AccountUseCases,
  ApiKeyUseCases,
  AuditUseCases,
  BlogPostUseCases,
  ContactUseCases,
  DeliveryUseCases,
  EmailListUseCases,
  ErasureUseCases,
  EventTypeUseCases,
  LedgerFilters,
  OrderFilters,
  ChangeOrigin,
  Page,
  PageRequest,
  ProjectUseCases,
  RejectedEventUseCases,
  ResendUseCases,
  Service,
  SessionUseCases,
  SubscriberUseCases,
  SuppressionUseCases,
  WebhookActionUseCases,
  WebhookUseCases,
} from "@hookwright/service";
import type {
  AccountInput,
  ApiKeyInput,
  BlogPostInput,
  ConsoleLinkInput,
  ContactInputBody,
  DisableInput,
  LimitInput,
  EmailListInput,
  ErasureInput,
  HostSubscriberInput,
  LinkCodeInput,
  ProjectInput,
  RecoveryInput,
  RejectedEventRetryInput,
  ResendInput,
  SignInInput,
  SubscriberInputBody,
  SuppressionInput,
  WebhookActionInput,
  TestInput,
  WebhookChangesInput,
} from "./host-inputs.ts";
import type {
  OutboxEvent,
  PublishInTransactionOptions,
  TransactionClient,
} from "./outbox/publish-in-transaction.ts";
import type {
  KnownValidEvents,
  OwnOutboxEvent,
  OwnPublishInput,
  OwnUncheckedEvent,
} from "./own-event-types.ts";

/**
 * The functions for the host. The use cases accept unknown input and parse it, because the API passes unparsed JSON.
 * These types declare the inputs, so that the compiler finds a misspelt field.
 */
export interface HostFunctions<Own extends OwnEvents = NoOwnEvents> extends UntypedFunctions {
  /**
   * Publishes an event of a site. Once this resolves, the event is durable. If it throws, nothing was written.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  publish(input: PublishInput | OwnPublishInput<Own>): ReturnType<Service["publish"]>;
  /** Returns one entry per item, in order. An invalid item does not stop the others. */
  publishMany(inputs: readonly (PublishInput | OwnPublishInput<Own>)[]): ReturnType<Service["publishMany"]>;
  /**
   * Returns the event as `publish` would store it, without publishing it. With a shared pool, call it before
   * you begin your own transaction: it may take a connection.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  validateEvent<Name extends KnownEventName<Own>>(
    input: OwnUncheckedEvent<Name>,
  ): Promise<KnownValidEvents<Own>[Name]>;
  /**
   * Inserts an event into the outbox in your own transaction of PostgreSQL. It is published within milliseconds after the
   * commit, and never after a rollback. The event is checked as `publish` checks it.
   *
   * It uses no other connection. If the transaction cannot read the site, because of its role or its isolation, an unknown
   * site is accepted, and the row ends in the table `outbox_rejected`.
   *
   * @param client a client of `pg`, or an object whose `query(text, values)` runs in your transaction. A pool is refused
   * @param options.schema the schema of the outbox. @default that of the option `outbox`, or of the store
   * @throws HookwrightError `validation_failed`, `unknown_event`. Nothing was written
   * @throws StorageError `invalid_argument` for a pool, or a client that is not in a transaction; `unavailable`
   * @throws ConfigurationError `invalid_option` without an outbox
   */
  publishInTransaction(
    client: TransactionClient,
    event: OutboxEvent | OwnOutboxEvent<Own>,
    options?: PublishInTransactionOptions,
  ): Promise<void>;
  readonly accounts: HostAccounts;
  /** Counts accounts, webhooks and pending deliveries. It reads all of them, and its answer is kept for 5 s. */
  readonly stats: Service["stats"];
  /** The audit log: who changed what, newest first. */
  readonly audit: HostAudit;
  readonly projects: HostProjects;
  readonly emailLists: HostEmailLists;
  readonly apiKeys: HostApiKeys;
  readonly webhooks: HostWebhooks;
  readonly webhookActions: HostWebhookActions;
  readonly rejectedEvents: HostRejectedEvents;
  readonly resends: HostResends;
  readonly orders: HostOrders;
  readonly deliveries: HostDeliveries;
  readonly eventTypes: HostEventTypes<Own>;
  readonly contacts: HostContacts;
  readonly erasures: HostErasures;
  readonly subscribers: HostSubscribers;
  readonly suppressions: HostSuppressions;
  readonly blogPosts: HostBlogPosts;
  readonly sessions: HostSessions;
}

type UntypedFunctions = Pick<Service, "records">;

/** The rows of a list to return: by default 25, at most 100. */
export interface HostPage {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Returns a page of a list. @throws HookwrightError `validation_failed`, `invalid_cursor` */
type HostList<List> = List extends (...given: [...infer Before, PageRequest]) => infer Answer
  ? (...given: [...before: Before, page?: HostPage]) => Answer
  : never;

export interface HostOrders {
  /** Returns one order in the shape that webhooks send. @throws HookwrightError `resource_not_found` */
  get(accountId: string, orderId: string): Promise<Order>;
  /** Newest first. @throws HookwrightError `validation_failed`, `invalid_cursor` */
  list(accountId: string, filters: OrderFilters, page?: HostPage): Promise<Page<Order>>;
}

export interface HostDeliveries extends Omit<
  DeliveryUseCases,
  "compare" | "list" | "listRelated" | "export"
> {
  /** The delivery log, newest first. A page may have fewer rows than `limit` although there are more pages. */
  readonly list: HostList<DeliveryUseCases["list"]>;
}

export interface HostEventTypes<Own extends OwnEvents = NoOwnEvents> extends Omit<
  EventTypeUseCases,
  "samples"
> {
  /**
   * The newest records that were published with this event, each as a complete delivery body.
   *
   * @param options.limit 1 to 10. @default 10
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  samples<Name extends keyof Own & string>(
    accountId: string,
    event: Name,
    options?: SampleOptions,
  ): Promise<readonly OwnDeliveryBody<Own, Name>[]>;
  samples(accountId: string, event: string, options?: SampleOptions): Promise<readonly DeliveryBody[]>;
}

export interface SampleOptions {
  /** Only records of this site. @default all sites */
  readonly project_id?: string | undefined;
  /** 1 to 10. @default 10 */
  readonly limit?: number | undefined;
}

export interface HostAccounts extends Omit<AccountUseCases, "put" | "list"> {
  readonly list: HostList<AccountUseCases["list"]>;
  /** Creates or updates the account. @throws HookwrightError `validation_failed` */
  put(accountId: string, input: AccountInput, origin?: ChangeOrigin): ReturnType<AccountUseCases["put"]>;
  /**
   * Returns what became of the events of an account: by default those of the last 24 hours.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   */
  ledger(accountId: string, filters?: LedgerFilters): Promise<Ledger>;
}

export interface HostAudit {
  /** @throws HookwrightError `validation_failed`, `invalid_cursor` */
  readonly list: HostList<AuditUseCases["list"]>;
}

export interface HostProjects extends Omit<ProjectUseCases, "put" | "list"> {
  readonly list: HostList<ProjectUseCases["list"]>;
  /** Creates or updates a site. @throws HookwrightError `validation_failed` */
  put(projectId: string, input: ProjectInput, origin?: ChangeOrigin): ReturnType<ProjectUseCases["put"]>;
}

export interface HostEmailLists extends Omit<EmailListUseCases, "put" | "list"> {
  readonly list: HostList<EmailListUseCases["list"]>;
  /** Creates or updates an email list. @throws HookwrightError `validation_failed` */
  put(listId: string, input: EmailListInput, origin?: ChangeOrigin): ReturnType<EmailListUseCases["put"]>;
}

export interface HostApiKeys extends Omit<ApiKeyUseCases, "create" | "list"> {
  readonly list: HostList<ApiKeyUseCases["list"]>;
  /**
   * Creates an API key. Only this result contains `api_key`.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`, or `invalid_state` if 100 keys are active
   */
  create(accountId: string, input: ApiKeyInput, origin?: ChangeOrigin): ReturnType<ApiKeyUseCases["create"]>;
}

/** Actions of the operator on all webhooks that a filter matches, in the background. */
export interface HostWebhookActions extends Omit<WebhookActionUseCases, "start" | "preview" | "list"> {
  /**
   * Starts an action. It survives a restart and does nothing twice. To count only, call `preview`.
   *
   * @throws HookwrightError `validation_failed`
   * @example
   * const filter = { status: "switched_off", status_changed_since: "2026-11-20T02:00:00Z" } as const;
   * await hookwright.webhookActions.start({ action: "turn-on", filter, recover: true });
   */
  start(input: WebhookActionInput, origin?: ChangeOrigin): ReturnType<WebhookActionUseCases["start"]>;
  /** What `start` would find with this input now. Writes nothing. @throws HookwrightError `validation_failed` */
  preview(input: WebhookActionInput): ReturnType<WebhookActionUseCases["preview"]>;
  readonly list: HostList<WebhookActionUseCases["list"]>;
}

/** Events of the outbox that could not be published. Without an outbox, each but `count` throws `resource_not_found`. */
export interface HostRejectedEvents extends Omit<RejectedEventUseCases, "list" | "retry"> {
  readonly list: HostList<RejectedEventUseCases["list"]>;
  /**
   * Puts an event into the outbox again, from which it is published once, as any other. What the check finds leaves it rejected. Of
   * several calls, one succeeds.
   *
   * @param input what is corrected. `data` replaces the whole record. @default nothing
   * @throws HookwrightError `validation_failed`, `unknown_event`, `resource_not_found`
   * @example
   * await hookwright.rejectedEvents.retry(id, { project_id: "site_1" });
   */
  retry(
    id: string,
    input?: RejectedEventRetryInput,
    origin?: ChangeOrigin,
  ): ReturnType<RejectedEventUseCases["retry"]>;
}

/** Jobs that send again all deliveries of an account that a filter matches, in the background. Recoveries are among them. */
export interface HostResends {
  /**
   * Starts a job. It survives a restart and sends each event once. An event that was accepted since is not sent. Webhooks that are not
   * active are skipped. To count only, call `preview`.
   *
   * @throws HookwrightError `validation_failed`, `account_unavailable`, `plan_required`, `resource_not_found`; `invalid_state` if ten
   * jobs run
   * @example
   * const filter = { statuses: ["failed"], since: "2026-11-20T09:30:00Z" } as const;
   * await hookwright.resends.start("acc_1", { filter });
   */
  start(accountId: string, input: ResendInput, origin?: ChangeOrigin): ReturnType<ResendUseCases["start"]>;
  /** What `start` would find with this input now. Writes nothing. @throws HookwrightError `validation_failed` */
  preview(accountId: string, input: ResendInput): ReturnType<ResendUseCases["preview"]>;
  /** The jobs, newest first. They are kept for 30 days, and at most 100 besides recoveries. */
  list(accountId: string, page?: HostPage): ReturnType<ResendUseCases["list"]>;
  /** @throws HookwrightError `resource_not_found` */
  get(accountId: string, jobId: string): ReturnType<ResendUseCases["get"]>;
  /** Creates no more deliveries. Those that were created are sent. @throws HookwrightError `resource_not_found`, `invalid_state` */
  stop(accountId: string, jobId: string, origin?: ChangeOrigin): ReturnType<ResendUseCases["stop"]>;
}

export interface HostWebhooks extends Omit<
  WebhookUseCases,
  | "create"
  | "createForConsole"
  | "list"
  | "listAll"
  | "listForConsole"
  | "listRemoved"
  | "update"
  | "disable"
  | "limit"
  | "sendTest"
  | "sendOperatorTest"
  | "recover"
  | "recoverAny"
  | "previewRecovery"
  | "listRecoveries"
  | "getRecovery"
> {
  readonly list: HostList<WebhookUseCases["list"]>;
  readonly listAll: HostList<WebhookUseCases["listAll"]>;
  /** The recoveries of a webhook, newest first. */
  listRecoveries(
    accountId: string,
    webhookId: string,
    page?: HostPage,
  ): ReturnType<WebhookUseCases["listRecoveries"]>;
  /** @throws HookwrightError `resource_not_found` */
  getRecovery(accountId: string, recoveryId: string): ReturnType<WebhookUseCases["getRecovery"]>;
  /**
   * Starts to send again what failed or was cancelled since a time, in the background. Nothing that was accepted since is
   * sent.
   *
   * @throws HookwrightError `validation_failed`, `account_unavailable`, `plan_required`, `resource_not_found`; `invalid_state`
   * if the webhook is not active or one of its recoveries runs
   * @example
   * await hookwright.webhooks.recover("acc_1", webhookId, { since: "2026-11-20T09:30:00Z", missed: true });
   */
  recover(
    accountId: string,
    webhookId: string,
    input: RecoveryInput,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["recover"]>;
  /**
   * What `recover` would find with this input now, whatever the status of the webhook. Writes nothing.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   */
  previewRecovery(
    accountId: string,
    webhookId: string,
    input: RecoveryInput,
  ): ReturnType<WebhookUseCases["previewRecovery"]>;
  /** `recover` for a webhook of any account. It may read the webhooks of many accounts. */
  recoverAny(
    webhookId: string,
    input: RecoveryInput,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["recoverAny"]>;
  /**
   * Like `create`, with the fields that only the owner sees: `name`, `headers` of every delivery, and `paused`, to test it before it
   * goes live.
   */
  createForConsole(
    caller: Parameters<WebhookUseCases["create"]>[0],
    input: ConsoleWebhookInputBody,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["createForConsole"]>;
  /**
   * Changes a webhook. Its secret, state and counters stay. Fields that are left out do not change.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `resource_not_found`;
   * `invalid_state` if another webhook of the same events has the URL
   */
  update(
    accountId: string,
    webhookId: string,
    input: WebhookChangesInput,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["update"]>;
  /**
   * For the operator: sends nothing until it is enabled. Its owner sees the reason and cannot lift it, and the account gets no other webhook
   * with this URL, even if it removes this one.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`, `invalid_state`
   * @example
   * await hookwright.webhooks.disable("acc_1", webhookId, { reason: "This URL belongs to somebody else." });
   */
  disable(
    accountId: string,
    webhookId: string,
    input: DisableInput,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["disable"]>;
  /**
   * For the operator: the attempts of a webhook in a second, at most. The lower of this and of its owner's limit counts. Null: no limit.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   * @example
   * await hookwright.webhooks.limit("acc_1", webhookId, { max_per_second: 20 });
   */
  limit(
    accountId: string,
    webhookId: string,
    input: LimitInput,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["limit"]>;
  /**
   * Makes one attempt at once with sample data. It is logged as a test and changes no counter of the webhook.
   *
   * @param input may name the `event`. @default the first event of the webhook
   * @throws HookwrightError `resource_not_found`, `invalid_state`, `unknown_event`, `validation_failed`; `rate_limited` if too many
   * tests are in progress
   */
  sendTest(
    accountId: string,
    webhookId: string,
    input?: TestInput,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["sendTest"]>;
  /** `sendTest` for the operator, who may also test a webhook that it has disabled. */
  sendOperatorTest(
    accountId: string,
    webhookId: string,
    input?: TestInput,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["sendOperatorTest"]>;
  /** The same webhooks with additional fields for their owner. */
  readonly listForConsole: HostList<WebhookUseCases["listForConsole"]>;
  /** The webhooks that were removed in the last 30 days. They can only be read. */
  readonly listRemoved: HostList<WebhookUseCases["listRemoved"]>;
  /**
   * Creates a webhook. If `created` is false, it is the existing webhook, unchanged and without its secret.
   *
   * @throws HookwrightError `resource_not_found`, `validation_failed`, `unknown_event`, `invalid_target_url`,
   * `invalid_project`, `webhook_limit_reached`
   */
  create(
    caller: Parameters<WebhookUseCases["create"]>[0],
    input: WebhookInputBody,
    origin?: ChangeOrigin,
  ): ReturnType<WebhookUseCases["create"]>;
}

export interface HostContacts extends Omit<ContactUseCases, "write" | "list" | "get"> {
  readonly list: HostList<ContactUseCases["list"]>;
  /**
   * Creates a contact, or updates the contact with this address on this site. @throws HookwrightError
   * `validation_failed`
   */
  write(accountId: string, input: ContactInputBody): ReturnType<ContactUseCases["write"]>;
  /** @throws HookwrightError `resource_not_found` */
  get(accountId: string, contactId: string): ReturnType<ContactUseCases["get"]>;
}

export interface HostErasures extends Omit<ErasureUseCases, "start"> {
  /**
   * Starts to erase the data of a person from an account, in the background: contacts, subscriptions, records, and what the logs have of
   * them. It survives a restart. No webhook gets anything because of it. Contacts and orders that you keep yourself stay.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`; `invalid_state` if ten erasures of the account run
   * @example
   * const { id } = await hookwright.erasures.start("acc_1", { email: "ada@example.com" });
   * const { status, contacts, subscribers, records, deliveries } = await hookwright.erasures.get("acc_1", id);
   */
  start(accountId: string, input: ErasureInput, origin?: ChangeOrigin): ReturnType<ErasureUseCases["start"]>;
}

export interface HostSubscribers extends Omit<SubscriberUseCases, "subscribe" | "put"> {
  /**
   * Same as `POST /v1/subscribers`: a new subscriber emits `subscriber.created`.
   *
   * @throws HookwrightError `validation_failed`, `invalid_list`, `email_rejected`, `plan_limit_reached`
   */
  subscribe(accountId: string, input: SubscriberInputBody): ReturnType<SubscriberUseCases["subscribe"]>;
  /** Stores a subscriber without emitting an event. @throws HookwrightError `validation_failed` */
  put(projectId: string, email: string, input: HostSubscriberInput): ReturnType<SubscriberUseCases["put"]>;
}

export interface HostSuppressions extends Omit<SuppressionUseCases, "put"> {
  /** Blocks new subscriptions of this address. @throws HookwrightError `validation_failed` */
  put(email: string, input: SuppressionInput, origin?: ChangeOrigin): ReturnType<SuppressionUseCases["put"]>;
}

export interface HostBlogPosts extends Omit<BlogPostUseCases, "create"> {
  /** Creates a draft. @throws HookwrightError `validation_failed`, `plan_limit_reached` */
  create(accountId: string, input: BlogPostInput): ReturnType<BlogPostUseCases["create"]>;
}

export interface HostSessions extends Pick<SessionUseCases, "remove"> {
  /**
   * Creates a link that opens the console of an account once, for your own menu. Redirect the signed-in user to its
   * `url`, a path below the option `basePath`.
   *
   * @param input.ttl_seconds how long the link can be used: 30 to 3,600 seconds. @default 300
   * @param input.read_only true for a session that can change nothing. @default false
   * @param input.person `{ id, name, email }` of your user, whom the audit log names. @default nobody is named
   * @param input.role `viewer`, `developer` or `owner`. @default "owner"
   * @param input.path the page of the console that it opens, such as `/webhooks/wh_1`. @default the first page
   * @param input.reason why somebody else than the owner opens it. The owner reads it in the activity. @default none
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   */
  createLink(
    accountId: string,
    input?: ConsoleLinkInput,
    origin?: ChangeOrigin,
  ): ReturnType<SessionUseCases["createLink"]>;
  /**
   * Exchanges the code of a link for a session, as the page of the console does. Each code works once.
   *
   * @param client as for `create`
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  exchangeLink(
    input: LinkCodeInput,
    client?: Parameters<SessionUseCases["exchangeLink"]>[1],
  ): ReturnType<SessionUseCases["exchangeLink"]>;
  /**
   * Ends all console sessions of an account, and its links that are not used yet. It ends the open pages within a second.
   *
   * @throws HookwrightError `resource_not_found`
   * @example
   * await hookwright.sessions.removeAll("acc_1");
   */
  removeAll(accountId: string, origin?: ChangeOrigin): ReturnType<SessionUseCases["removeAll"]>;
  /**
   * Signs in to the console.
   *
   * @param client.clientAddress the IP address of the client, which the sign-in limits use: that of the connection, or
   * one that a trusted proxy named. Never take it from a header that the client can write. @default unknown
   * @param client.isForwarded true if a trusted proxy named the address. @default false
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  create(
    input: SignInInput,
    client?: Parameters<SessionUseCases["create"]>[1],
  ): ReturnType<SessionUseCases["create"]>;
}
