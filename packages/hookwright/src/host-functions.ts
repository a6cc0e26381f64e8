import type {
  DeliveryBody,
  EventName,
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
export interface HostFunctions<
  Own extends OwnEvents = NoOwnEvents,
  Kept extends EventName = EventName,
> extends UntypedFunctions {
  /**
   * Publishes an event of a site. Once this resolves, the event is durable. If it throws, nothing was written.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  publish(input: PublishInput<Kept> | OwnPublishInput<Own>): ReturnType<Service["publish"]>;
  /** Returns one entry per item, in order. An invalid item does not stop the others. */
  publishMany(
    inputs: readonly (PublishInput<Kept> | OwnPublishInput<Own>)[],
  ): ReturnType<Service["publishMany"]>;
  /**
   * Returns the event as `publish` would store it, without publishing it. With a shared pool, call it before
   * you begin your own transaction: it may take a connection.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  validateEvent<Name extends KnownEventName<Own, Kept>>(
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
    event: OutboxEvent<Kept> | OwnOutboxEvent<Own>,
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

/** Use cases whose inputs have types. Each function keeps the text of its use case. */
type Typed<Cases, Inputs extends { readonly [Name in keyof Cases]?: unknown }> = {
  readonly [Name in keyof Cases]: Name extends keyof Inputs
    ? WithInput<Cases[Name], Inputs[Name]>
    : Cases[Name];
};

/** A function that takes `Input` where it took anything. */
type WithInput<Case, Input> = Case extends (...given: infer Given) => infer Answer
  ? (...given: { [Index in keyof Given]: unknown extends Given[Index] ? Input : Given[Index] }) => Answer
  : never;

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

export interface HostAccounts extends Omit<Typed<AccountUseCases, { put: AccountInput }>, "list"> {
  readonly list: HostList<AccountUseCases["list"]>;
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

export interface HostProjects extends Omit<Typed<ProjectUseCases, { put: ProjectInput }>, "list"> {
  readonly list: HostList<ProjectUseCases["list"]>;
}

export interface HostEmailLists extends Omit<Typed<EmailListUseCases, { put: EmailListInput }>, "list"> {
  readonly list: HostList<EmailListUseCases["list"]>;
}

export interface HostApiKeys extends Omit<Typed<ApiKeyUseCases, { create: ApiKeyInput }>, "list"> {
  readonly list: HostList<ApiKeyUseCases["list"]>;
}

/** Actions of the operator on all webhooks that a filter matches, in the background. */
export interface HostWebhookActions extends Omit<
  Typed<WebhookActionUseCases, { start: WebhookActionInput; preview: WebhookActionInput }>,
  "list"
> {
  readonly list: HostList<WebhookActionUseCases["list"]>;
}

/** Events of the outbox that could not be published. Without an outbox, each but `count` throws `resource_not_found`. */
export interface HostRejectedEvents extends Omit<
  Typed<RejectedEventUseCases, { retry: RejectedEventRetryInput }>,
  "list"
> {
  readonly list: HostList<RejectedEventUseCases["list"]>;
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

/** What the functions of webhooks take. */
interface WebhookInputs {
  readonly create: WebhookInputBody;
  readonly createForConsole: ConsoleWebhookInputBody;
  readonly update: WebhookChangesInput;
  readonly disable: DisableInput;
  readonly limit: LimitInput;
  readonly sendTest: TestInput;
  readonly sendOperatorTest: TestInput;
  readonly recoverAny: RecoveryInput;
  readonly previewRecovery: RecoveryInput;
}

export interface HostWebhooks extends Omit<
  Typed<WebhookUseCases, WebhookInputs>,
  "list" | "listAll" | "listForConsole" | "listRemoved" | "recover" | "listRecoveries" | "getRecovery"
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
  /** The same webhooks with additional fields for their owner. */
  readonly listForConsole: HostList<WebhookUseCases["listForConsole"]>;
  /** The webhooks that were removed in the last 30 days. They can only be read. */
  readonly listRemoved: HostList<WebhookUseCases["listRemoved"]>;
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

export type HostErasures = Typed<ErasureUseCases, { start: ErasureInput }>;

export interface HostSubscribers extends Omit<
  Typed<SubscriberUseCases, { put: HostSubscriberInput }>,
  "subscribe"
> {
  /**
   * Same as `POST /v1/subscribers`: a new subscriber emits `subscriber.created`.
   *
   * @throws HookwrightError `validation_failed`, `invalid_list`, `email_rejected`, `plan_limit_reached`
   */
  subscribe(accountId: string, input: SubscriberInputBody): ReturnType<SubscriberUseCases["subscribe"]>;
}

export type HostSuppressions = Typed<SuppressionUseCases, { put: SuppressionInput }>;

export interface HostBlogPosts extends Omit<BlogPostUseCases, "create"> {
  /** Creates a draft. @throws HookwrightError `validation_failed`, `plan_limit_reached` */
  create(accountId: string, input: BlogPostInput): ReturnType<BlogPostUseCases["create"]>;
}

export interface HostSessions extends Pick<
  Typed<SessionUseCases, { create: SignInInput; exchangeLink: LinkCodeInput }>,
  "create" | "exchangeLink" | "remove"
> {
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
   * Ends all console sessions of an account, and its links that are not used yet. It ends the open pages within a second.
   *
   * @throws HookwrightError `resource_not_found`
   * @example
   * await hookwright.sessions.removeAll("acc_1");
   */
  removeAll(accountId: string, origin?: ChangeOrigin): ReturnType<SessionUseCases["removeAll"]>;
}
