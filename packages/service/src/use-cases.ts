import type {
  AccountSearch,
  AuditActor,
  ApiKey,
  Attempt,
  AuditEntry,
  BlogPost,
  Comparison,
  ConsoleLink,
  ConsoleWebhook,
  Contact,
  CreatedInvitation,
  CreatedConsoleWebhook,
  CreatedListener,
  CreatedShare,
  CreatedWebhook,
  Deleted,
  Delivery,
  DeliveryCounts,
  DeliveryDetail,
  ExportedDelivery,
  DescribedEventType,
  EmailList,
  Erasure,
  ErrorCode,
  EventType,
  HostAccount,
  HostEventType,
  HostSearch,
  ListedAccount,
  ListedAuditEntry,
  HostStats,
  HostWebhook,
  Invitation,
  Issue,
  LinkedSession,
  CreatedNoticeTarget,
  NoticeEndpoint,
  NoticeStop,
  NoticeTarget,
  PutNoticeEndpoint,
  SentNotice,
  ListedSession,
  ListedConsoleWebhook,
  ListenerResult,
  Ledger,
  Overview,
  OverviewPeriod,
  Person,
  Project,
  OutboxCounts,
  Recovery,
  RejectedEvent,
  RetriedEvent,
  RelatedDelivery,
  RecoveryPreview,
  Resend,
  ResendPreview,
  Right,
  Role,
  Session,
  SessionPerson,
  Share,
  SharedDelivery,
  Snooze,
  StartedErasure,
  Subscriber,
  Triggered,
  ValidEvent,
  Webhook,
  WebhookAction,
  WebhookActionPreview,
} from "@hookwright/domain";
import type { WebhookRow } from "@hookwright/delivery";
import type { Key } from "@hookwright/storage";

/** Who makes a change, for the audit log. */
export interface ChangeOrigin {
  readonly actor: AuditActor;
  /** The value of `X-Request-Id`. Null: no request. */
  readonly requestId: string | null;
}

/** The authenticated caller: the account and its credential. */
export interface Caller {
  readonly accountId: string;
  readonly credential:
    | { readonly type: "key"; readonly keyId: string; readonly name: string; readonly integration: boolean }
    /** A session of the console. `readOnly` is true if it may change nothing, which the API layer checks. */
    | {
        readonly type: "console";
        readonly readOnly?: boolean;
        readonly link?: ConsoleLinkOrigin;
        /** Absent for sessions of older versions. */
        readonly sessionId?: string | undefined;
        /** The id of a person with a row. Absent for the login of the account, and for links. */
        readonly personId?: string | undefined;
      };
  /** The API layer checks `suspended`, the plan and the rights, in the order that the contract requires. */
  readonly account: HostAccount;
  /** The role of the session. Undefined: the credential is a key. */
  readonly role?: Role | undefined;
  /** What the key or the role of the session may do. */
  readonly rights: readonly Right[];
  /** The only site whose data a key reaches. Undefined: all sites. */
  readonly projectId?: string | undefined;
  /** The person of the session. Null: a link that names nobody. Undefined: the credential is a key. */
  readonly person?: SessionPerson | null;
  /** Milliseconds since the epoch. Undefined: the credential does not expire. */
  readonly expiresAt?: number | undefined;
}

/** A caller whose account is already known to be active, and who may do what it asks for. Only a console session may leave out its rights. */
export type Developer =
  | Pick<Caller, "accountId" | "credential" | "rights" | "projectId">
  | {
      readonly accountId: string;
      readonly credential: Extract<Caller["credential"], { readonly type: "console" }>;
      readonly rights?: undefined;
      readonly projectId?: undefined;
    };

/** The link that opened a session of the console. */
export interface ConsoleLinkOrigin {
  /** The name of the host token that created it. Null: the embedding program. */
  readonly createdBy: string | null;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** A record as its stored JSON text. Responses and deliveries include it without parsing it. */
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
  /** The body id, `<event>_<record_id>`, or `<event>_<id>` if the event has an id. */
  readonly id: string;
  /** Ids of the deliveries that this call created. Empty for a duplicate. */
  readonly deliveries: readonly string[];
  readonly duplicate: boolean;
  /** Paths in `data` of the fields that were filled or changed, such as `customer.email`. */
  readonly adjusted: readonly string[];
  /** Paths in `data` of the fields that were sent and are not part of the event, such as `shipping_address.street`. */
  readonly dropped: readonly string[];
}

/** Every use case parses its `unknown` input and throws `validation_failed` if it is invalid. */
export interface AccountUseCases {
  /** Creates or updates the account. @throws HookwrightError `validation_failed` */
  put(
    accountId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly account: HostAccount; readonly created: boolean }>;
  get(accountId: string): Promise<HostAccount>;
  /** All accounts, in the order of their ids. */
  list(filters: AccountFilters, page: PageRequest): Promise<Page<ListedAccount>>;
  /**
   * Removes all data of an account. It waits up to 15 s for attempts that are on their way.
   *
   * @throws HookwrightError `resource_not_found`
   */
  remove(accountId: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface AuditFilters {
  /** @default all accounts */
  readonly account_id?: string | undefined;
  readonly action?: string | undefined;
  /** The kind, the id or the name of an actor. */
  readonly actor?: string | undefined;
  /** At this time or later: an ISO 8601 date-time. */
  readonly since?: string | undefined;
  /** Before this time: an ISO 8601 date-time. */
  readonly until?: string | undefined;
}

/** Who changed what, newest first. A page may be shorter than `limit` although there are more. */
export interface AuditUseCases {
  /** The entries of all accounts. @throws HookwrightError `validation_failed`, `invalid_cursor` */
  list(filters: AuditFilters, page: PageRequest): Promise<Page<ListedAuditEntry>>;
  /** The entries of one account. @throws HookwrightError `validation_failed`, `invalid_cursor` */
  listOfAccount(
    accountId: string,
    filters: Omit<AuditFilters, "account_id">,
    page: PageRequest,
  ): Promise<Page<AuditEntry>>;
}

export interface AccountFilters {
  readonly status?: string | undefined;
  /** A part of the id, the name or the e-mail address, in any case. */
  readonly q?: string | undefined;
  /** `not_delivered`, `failed` or `volume`: accounts with events, those with most first. `log_size`: the largest logs. @default by id */
  readonly sort?: string | undefined;
  /** Of the numbers of the ledger: `1h`, `24h`, `7d` or `30d`. @default "24h", if sorted */
  readonly period?: string | undefined;
}

/** The origin of a request. */
export interface ClientAddress {
  /** The IP address of the client. @default unknown */
  readonly clientAddress?: string | undefined;
  /** Whether a trusted proxy reported the address. Then even a private address belongs to the client. @default false */
  readonly isForwarded?: boolean | undefined;
}

/** Sign-ins of the developer console. */
export interface SessionUseCases {
  /**
   * Signs in to the console.
   *
   * @param client.clientAddress the IP address of the client, which the sign-in limits use: that of the connection, or
   * one that a trusted proxy named. Never take it from a header that the client can write. @default unknown
   * @param client.isForwarded true if a trusted proxy named the address. @default false
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  create(input: unknown, client?: ClientAddress): Promise<Session>;
  /**
   * Creates a link that opens the console of an account once, for a menu of the host.
   *
   * @param options.basePath the path below which the console is served. @default ""
   * @returns the path of the console with a code behind `#`
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   */
  createLink(accountId: string, input?: unknown, options?: LinkOptions): Promise<ConsoleLink>;
  /**
   * Exchanges the code of a link for a session, as the page of the console does. Each code works once.
   *
   * @param client as for `create`
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  exchangeLink(input: unknown, client?: ClientAddress): Promise<LinkedSession>;
  /**
   * What an invitation is for.
   *
   * @param client as for `create`
   * @throws HookwrightError `resource_not_found` if it was used, has expired or was withdrawn; `rate_limited`
   */
  getInvitation(token: string, client?: ClientAddress): Promise<Invitation>;
  /**
   * Accepts an invitation and signs the person in. It works once.
   *
   * @param client as for `create`
   * @throws HookwrightError `validation_failed`, `resource_not_found`, `rate_limited`
   */
  acceptInvitation(
    token: string,
    input: unknown,
    client?: ClientAddress,
    origin?: Pick<ChangeOrigin, "requestId">,
  ): Promise<Session>;
  /** The open sessions of the account, newest first: all for a caller with the right `people`, otherwise the caller's own. */
  list(caller: SessionCaller, page: PageRequest): Promise<Page<ListedSession>>;
  /**
   * Ends one session at once.
   *
   * @throws HookwrightError `resource_not_found`; `forbidden` if it is that of somebody else, and the caller lacks the right `people`
   */
  end(
    caller: SessionCaller,
    sessionId: string,
    origin?: ChangeOrigin,
  ): Promise<{ readonly id: string; readonly signed_out: true }>;
  /**
   * Changes the name, the time zone or the password of the caller. A new password ends all other sessions of the person.
   *
   * @param options.token of the caller's session
   * @param options.client as for `create`
   * @throws HookwrightError `validation_failed`, also for a wrong current password; `rate_limited`, as for `create`; `read_only_demo`;
   * `invalid_state` unless the session is that of a person who was invited
   */
  changeOwn(
    caller: SessionCaller,
    input: unknown,
    options: {
      readonly token: string;
      readonly client?: ClientAddress;
      readonly origin?: ChangeOrigin;
    },
  ): Promise<Person>;
  /** Signs out. An unknown token is not an error. */
  remove(token: string): Promise<{ readonly signed_out: true }>;
  /**
   * Ends all sessions of an account, and its links that are not used yet.
   *
   * @throws HookwrightError `resource_not_found`
   */
  removeAll(
    accountId: string,
    origin?: ChangeOrigin,
  ): Promise<{ readonly id: string; readonly signed_out: true }>;
}

export type SessionCaller = Pick<Caller, "account" | "accountId" | "credential" | "person" | "rights">;

/** The people of an account, who sign in to its console with a password of their own. */
export interface PeopleUseCases {
  /** The login of the account first, then by age. At most 101, open invitations included. @throws `resource_not_found` */
  list(accountId: string): Promise<readonly Person[]>;
  /**
   * Invites somebody, or replaces the invitation of the address. Only this response contains the link, which works once within 7 days.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`; `invalid_state` if the address is already in the list, or the list
   * has 100 people and invitations
   */
  invite(accountId: string, input: unknown, options?: LinkOptions): Promise<CreatedInvitation>;
  /** Changes the role. It counts from the next request. @throws `validation_failed`, `resource_not_found`; `invalid_state` for the login of the account */
  change(accountId: string, personId: string, input: unknown, origin?: ChangeOrigin): Promise<Person>;
  /** Removes a person or an invitation. Sessions end at once. @throws `resource_not_found`; `invalid_state` for the login of the account */
  remove(accountId: string, personId: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface ProjectUseCases {
  /** Creates or updates a site. @throws HookwrightError `validation_failed` */
  put(
    projectId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly project: Project; readonly created: boolean }>;
  list(accountId: string, page: PageRequest): Promise<Page<Project>>;
}

export interface EmailListUseCases {
  /** Creates or updates an email list. @throws HookwrightError `validation_failed` */
  put(
    listId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly emailList: EmailList; readonly created: boolean }>;
  list(
    accountId: string,
    filters: { readonly project_id?: string | undefined },
    page: PageRequest,
  ): Promise<Page<EmailList>>;
}

export interface ApiKeyUseCases {
  /**
   * Creates an API key. Only this result contains `api_key`.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`, or `invalid_state` if 100 keys are active
   */
  create(
    accountId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<ApiKey & { readonly api_key: string }>;
  list(accountId: string, page: PageRequest): Promise<Page<ApiKey>>;
  /** Revokes the key at once, removes its webhooks, cancels their pending deliveries. The host omits `accountId`: any account. */
  revoke(
    keyId: string,
    accountId?: string,
    origin?: ChangeOrigin,
  ): Promise<{ readonly id: string; readonly revoked: true }>;
}

/** `signing_secret` is present only if `created` is true. */
export type WebhookCreation =
  | { readonly created: true; readonly webhook: CreatedWebhook }
  | {
      readonly created: false;
      readonly webhook: Webhook & {
        readonly signing_secret?: undefined;
        readonly standard_signing_secret?: undefined;
      };
    };

/** The secrets are present only if `created` is true. */
export type ConsoleWebhookCreation =
  | { readonly created: true; readonly webhook: CreatedConsoleWebhook }
  | { readonly created: false; readonly webhook: ConsoleWebhook };

export interface AllWebhooksFilters {
  readonly account_id?: string | undefined;
  readonly status?: string | undefined;
  /** `waiting`: those with most waiting deliveries, on one page. @default by account */
  readonly sort?: string | undefined;
}

export interface WebhookUseCases extends RecoveryUseCases {
  /**
   * Creates a webhook. If `created` is false, it is the existing webhook, unchanged and without its secret.
   *
   * @throws HookwrightError `resource_not_found`, `validation_failed`, `unknown_event`, `invalid_target_url`,
   * `invalid_project`, `webhook_limit_reached`
   */
  create(caller: Developer, input: unknown, origin?: ChangeOrigin): Promise<WebhookCreation>;
  list(accountId: string, page: PageRequest): Promise<Page<Webhook>>;
  get(accountId: string, webhookId: string): Promise<Webhook>;
  remove(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<Deleted>;

  /**
   * The webhooks of all accounts, for support staff. It reads at most 2,500 webhooks.
   *
   * @throws HookwrightError `invalid_cursor`; `validation_failed` for an unknown order
   */
  listAll(filters: AllWebhooksFilters, page: PageRequest): Promise<Page<HostWebhook>>;

  /**
   * Like `create`, with the fields that only the owner sees: `name`, `headers` of every delivery, and `paused`, to test it before it
   * goes live.
   */
  createForConsole(caller: Developer, input: unknown, origin?: ChangeOrigin): Promise<ConsoleWebhookCreation>;
  /** The same webhooks, with the fields that only the owner sees. */
  listForConsole(accountId: string, page: PageRequest): Promise<Page<ConsoleWebhook>>;
  /** Also a webhook that was removed in the last 30 days. */
  getForConsole(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  /** The webhooks that were removed in the last 30 days. They can only be read. */
  listRemoved(accountId: string, page: PageRequest): Promise<Page<ConsoleWebhook>>;
  /**
   * Changes a webhook. Its secret, state and counters stay. Fields that are left out do not change.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `resource_not_found`;
   * `invalid_state` if another webhook of the same events has the URL
   */
  update(
    accountId: string,
    webhookId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<ConsoleWebhook>;
  /** Each of these throws `invalid_state` if the webhook's state does not allow the change. */
  pause(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  resume(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  turnOn(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * For the operator: sends nothing until it is enabled. Its owner sees the reason and cannot lift it, and the account gets no other webhook
   * with this URL, even if it removes this one.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`, `invalid_state`
   * @example
   * await webhooks.disable("acc_1", webhookId, { reason: "This URL belongs to somebody else." });
   */
  disable(
    accountId: string,
    webhookId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<ConsoleWebhook>;
  /**
   * For the operator: the attempts of a webhook in a second, at most. The lower of this and of its owner's limit counts. Null: no limit.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   * @example
   * await webhooks.limit("acc_1", webhookId, { max_per_second: 20 });
   */
  limit(accountId: string, webhookId: string, input: unknown, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * For the operator: brings back the status before `disable`. If the webhook was removed meanwhile, only its URL is allowed again.
   *
   * @throws HookwrightError `resource_not_found`, `invalid_state`
   */
  enable(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * The account of a webhook, for support staff. It may read the webhooks of many accounts.
   *
   * @throws HookwrightError `resource_not_found`
   */
  accountOf(webhookId: string): Promise<string>;
  /** Only this response contains the new `signing_secret`. Deliveries use the old secret until the rotation is finished. */
  rotate(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<CreatedConsoleWebhook>;
  finishRotation(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  cancelRotation(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * Makes one attempt at once with sample data. It is logged as a test and changes no counter of the webhook.
   *
   * @param input may name the `event`. @default the first event of the webhook
   * @throws HookwrightError `resource_not_found`, `invalid_state`, `unknown_event`, `validation_failed`; `rate_limited` if too many
   * tests are in progress
   */
  sendTest(accountId: string, webhookId: string, input?: unknown, origin?: ChangeOrigin): Promise<Attempt>;
  /** `sendTest` for the operator, who may also test a webhook that it has disabled. */
  sendOperatorTest(
    accountId: string,
    webhookId: string,
    input?: unknown,
    origin?: ChangeOrigin,
  ): Promise<Attempt>;
}

export interface RecoveryUseCases {
  /**
   * Starts to send again what failed or was cancelled since a time. It runs in the background. An event that was accepted since is not
   * sent.
   *
   * @throws HookwrightError `validation_failed`, `account_unavailable`, `plan_required`, `resource_not_found`; `invalid_state` if the webhook
   * is not active or one of its recoveries runs
   * @param own the API key that asks. @default none
   */
  recover(
    accountId: string,
    webhookId: string,
    input: unknown,
    origin?: ChangeOrigin,
    own?: Pick<OwnOfKey, "keyId" | "projectId">,
  ): Promise<Recovery>;
  /**
   * What `recover` would find with this input now, whatever the status of the webhook. Writes nothing.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   */
  previewRecovery(accountId: string, webhookId: string, input: unknown): Promise<RecoveryPreview>;
  /** `recover` for a webhook of any account. It may read the webhooks of many accounts. */
  recoverAny(webhookId: string, input: unknown, origin?: ChangeOrigin): Promise<Recovery>;
  /**
   * The recoveries of a webhook, newest first. They are kept for 30 days, and at most 100.
   *
   * @param projectId only those that were limited to this site exist. @default all
   */
  listRecoveries(
    accountId: string,
    webhookId: string,
    page: PageRequest,
    projectId?: string,
  ): Promise<Page<Recovery>>;
  /** @param projectId as for `listRecoveries`. @throws HookwrightError `resource_not_found` */
  getRecovery(accountId: string, recoveryId: string, projectId?: string): Promise<Recovery>;
  /** Creates no more deliveries. Those that were created are sent. @throws HookwrightError `resource_not_found`, `invalid_state` */
  stopRecovery(accountId: string, recoveryId: string, origin?: ChangeOrigin): Promise<Recovery>;
}

/** What an API key may see. */
export interface OwnOfKey {
  readonly keyId: string;
  /** The only site of a key. Undefined: all sites. */
  readonly projectId?: string | undefined;
  /** The webhooks that it created. */
  readonly webhooks: readonly WebhookRow[];
}

/** Jobs that send again all deliveries that a filter matches, in the background. Recoveries are among them. */
export interface ResendUseCases {
  /**
   * Starts a job. It survives a restart and sends each event once. An event that was accepted since is not sent. Webhooks that are not
   * active are skipped.
   *
   * @param own only the webhooks of this key and their deliveries exist. @default all of the account
   * @throws HookwrightError `validation_failed`, `invalid_project`, `unknown_event`, `account_unavailable`, `plan_required`,
   * `resource_not_found`; `invalid_state` if ten jobs run
   */
  start(accountId: string, input: unknown, origin?: ChangeOrigin, own?: OwnOfKey): Promise<Resend>;
  /** What `start` would find with this input now. Writes nothing. @throws HookwrightError `validation_failed`, `invalid_project`, `unknown_event` */
  preview(accountId: string, input: unknown, own?: OwnOfKey): Promise<ResendPreview>;
  /** The jobs, recoveries among them, newest first. They are kept for 30 days, and at most 100 besides recoveries. */
  list(accountId: string, page: PageRequest, keyId?: string): Promise<Page<Resend>>;
  /** @param keyId only the jobs that this API key started exist. @throws HookwrightError `resource_not_found` */
  get(accountId: string, jobId: string, keyId?: string): Promise<Resend>;
  /** Creates no more deliveries. Those that were created are sent. @throws HookwrightError `resource_not_found`, `invalid_state` */
  stop(accountId: string, jobId: string, origin?: ChangeOrigin, keyId?: string): Promise<Resend>;
}

/** Actions of the operator on all webhooks that a filter matches, in the background. */
export interface WebhookActionUseCases {
  /**
   * Starts an action. It survives a restart and does nothing twice. To count only, call `preview`.
   *
   * @throws HookwrightError `validation_failed`
   * @example
   * const filter = { status: "switched_off", status_changed_since: "2026-11-20T02:00:00Z" } as const;
   * await webhookActions.start({ action: "turn-on", filter, recover: true });
   */
  start(input: unknown, origin?: ChangeOrigin): Promise<WebhookAction>;
  /** What `start` would find with this input now. Writes nothing. @throws HookwrightError `validation_failed` */
  preview(input: unknown): Promise<WebhookActionPreview>;
  /** The actions, newest first. They are kept for 30 days. */
  list(page: PageRequest): Promise<Page<WebhookAction>>;
  /** @throws HookwrightError `resource_not_found` */
  get(jobId: string): Promise<WebhookAction>;
  /**
   * Changes no more webhooks. What was changed stays, and recoveries that were started go on.
   *
   * @throws HookwrightError `resource_not_found`, `invalid_state`
   */
  stop(jobId: string, origin?: ChangeOrigin): Promise<WebhookAction>;
}

/** Erasures of the data of a person, in the background. */
export interface ErasureUseCases {
  /**
   * Starts to erase the data of a person from an account, in the background: contacts, subscriptions, records, and what the logs have of
   * them. It survives a restart. No webhook gets anything because of it. Contacts and orders that you keep yourself stay.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`; `invalid_state` if ten erasures of the account run
   * @example
   * const { id } = await erasures.start("acc_1", { email: "ada@example.com" });
   * const { status, contacts, subscribers, records, deliveries } = await erasures.get("acc_1", id);
   */
  start(accountId: string, input: unknown, origin?: ChangeOrigin): Promise<StartedErasure>;
  /** The receipt, or the progress so far. Receipts are kept for 90 days. @throws HookwrightError `resource_not_found` */
  get(accountId: string, erasureId: string): Promise<Erasure>;
}

export interface OrderUseCases {
  list(accountId: string, filters: OrderFilters, page: PageRequest): Promise<Page<RecordText>>;
  /** @param projectId only an order of this site exists. @default any site */
  get(accountId: string, orderId: string, projectId?: string): Promise<RecordText>;
}

/** Matches exact values. An omitted filter matches any value. An unknown value matches no deliveries. */
export interface DeliveryFilters {
  readonly webhook_id?: string | undefined;
  readonly event?: Delivery["event"] | undefined;
  readonly status?: Delivery["status"] | (string & {}) | undefined;
  /**
   * What became of the event: `pending`, `delivered`, `failed` or `cancelled`. Only the first delivery of an event matches. It was
   * delivered too if a resend was accepted.
   */
  readonly outcome?: Delivery["status"] | (string & {}) | undefined;
  readonly project_id?: string | undefined;
  readonly kind?: Delivery["kind"] | (string & {}) | undefined;
  /** Created at this time or later: an ISO 8601 date-time. */
  readonly since?: string | undefined;
  /** Created before this time: an ISO 8601 date-time. */
  readonly until?: string | undefined;
  /** The status of the response to the newest attempt, 100 to 599, such as `"503"`. */
  readonly http_status?: string | undefined;
  /** The error class of the newest attempt. */
  readonly error?: Delivery["last_error"] | (string & {}) | undefined;
  /** The id of an issue: only deliveries with such a failure. */
  readonly issue?: string | undefined;
  /** The least number of attempts, 1 to 100. */
  readonly attempts_min?: string | undefined;
  /**
   * The id of a delivery, record or body, or its beginning; an order number, an e-mail address, or a part of the name or URL of a
   * webhook; in any case.
   */
  readonly q?: string | undefined;
}

export interface AttemptBody {
  /** Encoded as UTF-8, these are the bytes that were signed. */
  readonly body: string;
  /** The `Content-Type` of the request. */
  readonly contentType: string;
}

export interface DeliveryUseCases {
  /** The log, newest first. A page may be shorter than `limit` although there are more. */
  list(accountId: string, filters: DeliveryFilters, page: PageRequest): Promise<Page<Delivery>>;
  /** Reads the pages of `list`. If the host's repository fails, this fails too: a file must not lack deliveries. */
  export(
    accountId: string,
    filters: DeliveryFilters,
  ): Promise<(page: PageRequest) => Promise<Page<ExportedDelivery>>>;
  /**
   * Counts events by what became of them, up to 10,000. It agrees with the ledger. With a filter of kind or status, it counts deliveries
   * by their status. With a filter that no index has, only the newest 10,000 are read.
   */
  count(accountId: string, filters: DeliveryFilters): Promise<DeliveryCounts>;
  /** Sends the current record of a delivery again, with the same body id. @throws `account_unavailable`, `plan_required`, `invalid_state`, `resource_not_found` */
  resend(accountId: string, deliveryId: string, origin?: ChangeOrigin): Promise<Delivery>;
  get(accountId: string, deliveryId: string): Promise<DeliveryDetail>;
  /**
   * The other deliveries of the same event of the same record, newest first: what it sends again, its resends, tests of it, and those of
   * other webhooks. At most 50; the delivery that it sends again and its own resends are the last to be left out.
   *
   * @throws `resource_not_found`
   */
  listRelated(accountId: string, deliveryId: string): Promise<readonly RelatedDelivery[]>;
  /** The exact body that an attempt signed and sent. @throws HookwrightError `resource_not_found` */
  getAttemptBody(accountId: string, deliveryId: string, number: number): Promise<AttemptBody>;
  /** Compares what an endpoint received with what an attempt sent. Nothing of it is kept. @throws `validation_failed`, `resource_not_found` */
  compare(accountId: string, deliveryId: string, number: number, input: unknown): Promise<Comparison>;
}

/** Where links begin, and who makes a change. */
interface LinkOptions {
  /** The URL or path below which the console is served. @default "" */
  readonly basePath?: string | undefined;
  readonly origin?: ChangeOrigin | undefined;
}

/** Whom an account wants to be told: at most 20 addresses and URLs. */
export interface NoticeTargetUseCases {
  /** Oldest first. */
  list(accountId: string): Promise<readonly NoticeTarget[]>;
  /** @throws `validation_failed`, `invalid_target_url`; `invalid_state` if it exists, there are 20, or no mail may ask for a confirmation */
  create(accountId: string, input: unknown, origin?: ChangeOrigin): Promise<CreatedNoticeTarget>;
  /** @throws `validation_failed`, `resource_not_found` */
  update(accountId: string, id: string, input: unknown, origin?: ChangeOrigin): Promise<NoticeTarget>;
  /** @throws `resource_not_found` */
  remove(accountId: string, id: string, origin?: ChangeOrigin): Promise<Deleted>;
  /** Sends a notice that says that it is a test, in the background. @throws `resource_not_found`; `invalid_state` if it is not active */
  test(accountId: string, id: string): Promise<{ readonly id: string; readonly sent: true }>;
  /** Sends the link that confirms an address again. @throws `resource_not_found`; `invalid_state` if none is needed, or too many were sent */
  resendConfirmation(accountId: string, id: string): Promise<{ readonly id: string; readonly sent: true }>;
  /** What the link of a mail confirms. @throws as `describeStop` */
  describeConfirmation(token: string, client?: ClientAddress): Promise<NoticeStop>;
  /** The address gets notices from now on. @throws as `describeStop` */
  confirm(token: string, client?: ClientAddress): Promise<NoticeStop>;
  /** What the link of a mail stops. @throws `resource_not_found`; `rate_limited` as `ShareUseCases.open` */
  describeStop(token: string, client?: ClientAddress): Promise<NoticeStop>;
  /** Removes the target. @throws as `describeStop` */
  stop(token: string, client?: ClientAddress): Promise<NoticeStop>;
}

/** Events of the outbox that could not be published. Without an outbox, each function but `count` throws `resource_not_found`. */
export interface RejectedEventUseCases {
  /** Counts rejected events, up to 10,000. Null: there is no outbox. */
  count(): Promise<OutboxCounts>;
  /** Newest first. @throws HookwrightError `invalid_cursor` */
  list(page: PageRequest): Promise<Page<RejectedEvent>>;
  /** @throws HookwrightError `resource_not_found` */
  get(id: string): Promise<RejectedEvent>;
  /**
   * Puts an event into the outbox again, from which it is published once, as any other. What the check finds leaves it rejected. Of
   * several calls, one succeeds.
   *
   * @param input what is corrected. `data` replaces the whole record. @default nothing
   * @throws HookwrightError `validation_failed`, `unknown_event`, `resource_not_found`
   * @example
   * await rejectedEvents.retry(id, { project_id: "site_1" });
   */
  retry(id: string, input?: unknown, origin?: ChangeOrigin): Promise<RetriedEvent>;
  /** Removes it without publishing it. @throws HookwrightError `resource_not_found` */
  remove(id: string, origin?: ChangeOrigin): Promise<Deleted>;
}

/** The URL of the operator that gets notices of all accounts. */
export interface NoticeEndpointUseCases {
  /**
   * Sets the URL, and which kinds it gets (at first all). Only a call that creates it answers with the `signing_secret`: others keep it.
   *
   * @throws `validation_failed`, `invalid_target_url`
   */
  put(
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly data: PutNoticeEndpoint; readonly created: boolean }>;
  /** @throws `resource_not_found` */
  get(): Promise<NoticeEndpoint>;
  /** Pending notices are not sent. @throws `resource_not_found` */
  remove(origin?: ChangeOrigin): Promise<{ readonly url: string; readonly deleted: true }>;
  /** The notices that were sent to it in the last 30 days, newest first. @throws `invalid_cursor` */
  list(page: PageRequest): Promise<Page<SentNotice>>;
}

/** Links that show one delivery to everybody who has them, read-only and without secrets. */
export interface ShareUseCases {
  /** @throws `validation_failed`, `resource_not_found`; `invalid_state` if the delivery has 10 links, or the account 200 */
  create(accountId: string, deliveryId: string, input: unknown, options?: LinkOptions): Promise<CreatedShare>;
  /** The links of a delivery that can be used, oldest first. @throws `resource_not_found` */
  list(accountId: string, deliveryId: string): Promise<readonly Share[]>;
  /** Revokes a link. @throws `resource_not_found` */
  remove(accountId: string, shareId: string, origin?: ChangeOrigin): Promise<Deleted>;
  /**
   * What a link shows. A token that is wrong, has expired or was revoked, and one of a removed delivery, all get the same error.
   *
   * @param client as for `SessionUseCases.create`
   * @throws `resource_not_found`; `rate_limited` after 30 such tokens of a network in a minute
   */
  open(token: string, client?: ClientAddress): Promise<SharedDelivery>;
}

/** Values as in a query. Undefined: the last 24 hours, all webhooks, all sites, all events. */
export interface LedgerFilters {
  /** A timestamp, at most 31 days ago. */
  readonly since?: string | undefined;
  /** A timestamp. */
  readonly until?: string | undefined;
  /** Whole minutes, in seconds. */
  readonly step?: string | undefined;
  readonly webhook_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly event?: string | undefined;
  /** `webhook`: also the numbers of each webhook. */
  readonly by?: string | undefined;
}

/** Without `status`: all that are not ignored. Times are ISO 8601 date-times. */
export interface IssueFilters {
  readonly status?: string | undefined;
  readonly webhook_id?: string | undefined;
  /** Issues of the webhooks that this site has. */
  readonly project_id?: string | undefined;
  /** Those that came at this time or later. */
  readonly since?: string | undefined;
  /** Those that came first before this time. */
  readonly until?: string | undefined;
}

/** Equal failures of webhooks. */
export interface IssueUseCases {
  /** The 200 that came last. A key sees those of its webhooks. @throws HookwrightError `validation_failed` if a filter is invalid or the site is not one of the account */
  list(caller: Developer, filters: IssueFilters): Promise<readonly Issue[]>;
  /** Acknowledges, ignores or opens. @throws HookwrightError `validation_failed`, `resource_not_found` */
  mark(caller: Developer, issueId: string, input: unknown, origin?: ChangeOrigin): Promise<Issue>;
}

export interface OverviewUseCases {
  /** The ledger of a period, for the account, one webhook or one site, and what needs attention. */
  get(
    accountId: string,
    query: {
      readonly period: OverviewPeriod;
      readonly webhook_id?: string | undefined;
      readonly project_id?: string | undefined;
    },
  ): Promise<Overview>;
  /** Puts off an alert for the whole account. @throws HookwrightError `validation_failed`, `resource_not_found` */
  snooze(accountId: string, input: unknown): Promise<Snooze>;
  /** @throws HookwrightError `validation_failed` if a filter is invalid or the site is not one of the account */
  getLedger(accountId: string, filters: LedgerFilters): Promise<Ledger>;
  /** The webhooks as `WebhookUseCases.listForConsole` or `listRemoved` lists them, with the last 24 hours of each. */
  listWebhooks(
    accountId: string,
    page: PageRequest,
    status?: "removed" | undefined,
  ): Promise<Page<ListedConsoleWebhook>>;
}

export interface SearchUseCases {
  /** The newest records and deliveries of an account that a text names. See `DeliveryFilters.q`. @throws HookwrightError `validation_failed` */
  account(accountId: string, text: string | undefined): Promise<AccountSearch>;
  /**
   * What a text names over all accounts. It ends after two seconds or some twenty results, and continues with `cursor`. Orders that the
   * host keeps are found as they were published.
   *
   * @throws HookwrightError `validation_failed`, `invalid_cursor`
   */
  all(text: string | undefined, cursor?: string): Promise<HostSearch & Pick<Page<unknown>, "meta">>;
}

export interface RecordUseCases {
  remove(accountId: string, kind: string, recordId: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface ContactUseCases {
  /**
   * `POST /v1/contacts`: creates the contact, or updates the contact with this address on this site.
   *
   * @param projectId only this site exists. @default all sites of the account
   */
  write(
    accountId: string,
    input: unknown,
    projectId?: string,
  ): Promise<{ readonly contact: Contact; readonly created: boolean }>;
  list(
    accountId: string,
    filters: { readonly project_id?: string | undefined; readonly email?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Contact>>;
  /** @param projectId only a contact of this site exists. @default any site */
  get(accountId: string, contactId: string, projectId?: string): Promise<Contact>;
  /**
   * Removes a contact, and the subscriptions of its address on its site. Nothing is sent. Its other records, such as orders, stay.
   *
   * @throws HookwrightError `resource_not_found`; `invalid_state` if the host keeps the contacts
   */
  remove(accountId: string, contactId: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface BlogPostUseCases {
  /** Always creates a draft. @param projectId only this site exists. @default all sites of the account */
  create(accountId: string, input: unknown, projectId?: string): Promise<BlogPost>;
}

export interface EventTypeUseCases {
  list(): readonly EventType[];
  /** The newest records published under an event. Each is a complete delivery body as JSON text. */
  samples(
    accountId: string,
    event: string,
    options: { readonly project_id?: string | undefined; readonly limit: number },
  ): Promise<readonly RecordText[]>;
}

export interface SubscriberUseCases {
  /**
   * `POST /v1/subscribers`: a new subscriber emits `subscriber.created`.
   *
   * @param projectId only this site exists. @default all sites of the account
   */
  subscribe(
    accountId: string,
    input: unknown,
    projectId?: string,
  ): Promise<{ readonly subscriber: Subscriber; readonly created: boolean }>;
  /** Stores a subscriber without emitting an event. @throws HookwrightError `validation_failed` */
  put(
    projectId: string,
    email: string,
    input: unknown,
  ): Promise<{ readonly subscriber: Subscriber; readonly created: boolean }>;
}

/** The events of the instance, and those that the host declares over the host API. */
export interface HostEventTypeUseCases {
  list(): Promise<readonly HostEventType[]>;
  /**
   * Declares an event, or replaces its declaration. Every process knows it within a second.
   *
   * @throws HookwrightError `validation_failed`, `invalid_state` for an event of the specification or the program
   */
  put(
    event: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly eventType: HostEventType; readonly created: boolean }>;
  /** @throws HookwrightError `resource_not_found`, `invalid_state` if webhooks name it, or if it was not declared */
  remove(event: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface SuppressionUseCases {
  /** Blocks new subscriptions of this address. @throws HookwrightError `validation_failed` */
  put(
    email: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{
    readonly email: string;
    readonly reason: "bounced" | "complained";
    readonly created: boolean;
  }>;
  remove(email: string, origin?: ChangeOrigin): Promise<{ readonly email: string; readonly deleted: true }>;
}

/** The console's reads and resends for programs. An API key sees only the webhooks that it created, and their deliveries. */
export interface DeveloperUseCases {
  listWebhooks(caller: Caller, page: PageRequest): Promise<Page<ConsoleWebhook>>;
  /** As `WebhookUseCases.sendTest`. */
  sendTest(caller: Caller, webhookId: string, input?: unknown, origin?: ChangeOrigin): Promise<Attempt>;
  /** @throws `resource_not_found`, `invalid_state` */
  pause(caller: Caller, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /** @throws `resource_not_found`, `invalid_state` */
  resume(caller: Caller, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  listDeliveries(caller: Caller, filters: DeliveryFilters, page: PageRequest): Promise<Page<Delivery>>;
  /** @throws `resource_not_found` */
  getDelivery(caller: Caller, deliveryId: string): Promise<DeliveryDetail>;
  /** @throws `account_unavailable`, `plan_required`, `invalid_state`, `resource_not_found` */
  resend(caller: Caller, deliveryId: string, origin?: ChangeOrigin): Promise<Delivery>;
  /** As `WebhookUseCases.recover`. @throws `validation_failed`, `account_unavailable`, `plan_required`, `invalid_state`, `resource_not_found` */
  recover(caller: Caller, webhookId: string, input: unknown, origin?: ChangeOrigin): Promise<Recovery>;
  /** @throws `resource_not_found` */
  listRecoveries(caller: Caller, webhookId: string, page: PageRequest): Promise<Page<Recovery>>;
  /** @throws `resource_not_found` */
  getRecovery(caller: Caller, recoveryId: string): Promise<Recovery>;
  /** @throws `resource_not_found`, `invalid_state` */
  stopRecovery(caller: Caller, recoveryId: string, origin?: ChangeOrigin): Promise<Recovery>;
  /** As `ResendUseCases`. A key sees the jobs that it started. */
  startResend(caller: Caller, input: unknown, origin?: ChangeOrigin): Promise<Resend>;
  previewResend(caller: Caller, input: unknown): Promise<ResendPreview>;
  listResends(caller: Caller, page: PageRequest): Promise<Page<Resend>>;
  getResend(caller: Caller, jobId: string): Promise<Resend>;
  stopResend(caller: Caller, jobId: string, origin?: ChangeOrigin): Promise<Resend>;
}

/** What a stream of events depends on. It ends within a second when its credential ends. */
export interface StreamAccess {
  /** The network of the client: at a limit, networks with fewer streams come first. @default one for all without it */
  readonly network?: string | undefined;
  readonly token: string;
  /** The caller of the token. */
  readonly caller: Caller;
  /** Called after each change of the credential or its account. The stream ends if it throws an error below 500. */
  readonly check: (caller: Caller) => void;
}

export interface ListenerStreamOptions extends StreamAccess {
  /** The delivery after which the stream begins. Unknown ids are older than everything that is kept. @default the oldest event since the listener was created */
  readonly lastEventId?: string | undefined;
}

/** A stream of server-sent events. */
export interface EventStream {
  /** The next event or comment as text. Waits up to 15 s for it. Undefined: the stream has ended. */
  next(): Promise<string | undefined>;
  /** Resolves at the end, even if nobody waits for the next event. */
  readonly ended: Promise<void>;
  close(): void;
}

/** A credential that was refused. It says neither which one nor for whom. */
export interface FailedAuthentication {
  readonly credential: "password" | "console_link" | "host_token" | "metrics_token";
  /** As the limits count it: an IPv4 address, the first half of an IPv6 address, or `unknown`. */
  readonly network: string;
}

/** Temporary subscriptions for a developer's machine. A key sees only the listeners that it created. */
export interface ListenerUseCases {
  /** Only this response contains `signing_secret`. @throws `unknown_event`, `invalid_project`, `invalid_state` if the account has ten */
  create(caller: Developer, input: unknown, origin?: ChangeOrigin): Promise<CreatedListener>;
  remove(caller: Developer, listenerId: string): Promise<Deleted>;
  /** @throws `resource_not_found`; `rate_limited` if this credential already has more of the streams than others */
  open(listenerId: string, options: ListenerStreamOptions): Promise<EventStream>;
  /** Stores what the program behind a listener answered. @throws `resource_not_found` */
  report(caller: Developer, listenerId: string, deliveryId: string, input: unknown): Promise<ListenerResult>;
  /** Sends a sample event to the listeners that the caller sees. @throws `unknown_event`, `invalid_project`, `invalid_state` without a site */
  trigger(caller: Developer, input: unknown): Promise<Triggered>;
  /** Ends all streams of this process. */
  close(): Promise<void>;
}

/** What the pages of the console show while they are open. */
export interface ConsoleEventUseCases {
  /**
   * The changes of deliveries and webhooks of an account, as rows of their lists. A row that changes twice may be sent once.
   *
   * @throws `rate_limited` if this session already has more of the streams than others
   */
  open(access: StreamAccess): Promise<EventStream>;
  /** Ends all streams of this process. */
  close(): Promise<void>;
}

/** What callers with API keys use. */
export interface CallerService {
  readonly projects: Pick<ProjectUseCases, "list">;
  readonly contacts: Omit<ContactUseCases, "remove">;
  readonly subscribers: Pick<SubscriberUseCases, "subscribe">;
  readonly blogPosts: BlogPostUseCases;
  readonly emailLists: Pick<EmailListUseCases, "list">;
  readonly eventTypes: EventTypeUseCases;
  readonly describeEventTypes: Service["describeEventTypes"];
  readonly orders: OrderUseCases;
  readonly webhooks: Pick<WebhookUseCases, "create" | "createForConsole" | "list" | "get" | "remove">;
  readonly developer: DeveloperUseCases;
  readonly issues: IssueUseCases;
  readonly listeners: ListenerUseCases;
}

export interface Service {
  /** @throws HookwrightError `invalid_api_key`, `console_token_expired` */
  authenticate(token: string): Promise<Caller>;
  /** The use cases for a caller that does not see all of its account: for it, the rest does not exist. Undefined: it sees all. */
  restrictTo(caller: Caller): CallerService | undefined;
  publish(input: unknown): Promise<PublishResult>;
  /**
   * Publishes the event of a row of an outbox.
   *
   * @param takes the id of the row, if it is in the outbox of the store. The commit then deletes it
   * @throws StorageError `already_taken` if the row is gone. Nothing was published
   * @throws HookwrightError as `publish` does
   */
  publishRow(input: unknown, takes: string | undefined): Promise<PublishResult>;
  /** Validates an event as `publish` does, without publishing it. @throws HookwrightError `validation_failed`, `unknown_event` */
  validateEvent(input: unknown): Promise<ValidEvent>;
  /**
   * Refuses what `publish` refuses, and reads nothing but the entry of the site.
   *
   * @param readRow reads a row of the store. If it returns `undefined`, an unknown site is accepted
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  checkEvent(
    input: unknown,
    readRow: (key: Key) => Promise<{ readonly value: string | undefined } | undefined>,
  ): Promise<void>;
  /** Returns one entry for each item, in order. An invalid item does not stop the others. */
  publishMany(
    inputs: readonly unknown[],
  ): Promise<
    readonly (PublishResult | { readonly error: { readonly code: ErrorCode; readonly message: string } })[]
  >;
  readonly sessions: SessionUseCases;
  readonly people: PeopleUseCases;
  readonly accounts: AccountUseCases;
  /** Counts accounts, webhooks and pending deliveries. It reads all of them, and its answer is kept for 5 s. */
  readonly stats: () => Promise<HostStats>;
  readonly search: SearchUseCases;
  readonly audit: AuditUseCases;
  readonly projects: ProjectUseCases;
  readonly emailLists: EmailListUseCases;
  readonly apiKeys: ApiKeyUseCases;
  readonly webhooks: WebhookUseCases;
  readonly webhookActions: WebhookActionUseCases;
  readonly resends: ResendUseCases;
  readonly orders: OrderUseCases;
  readonly deliveries: DeliveryUseCases;
  readonly shares: ShareUseCases;
  readonly rejectedEvents: RejectedEventUseCases;
  readonly noticeEndpoint: NoticeEndpointUseCases;
  readonly noticeTargets: NoticeTargetUseCases;
  readonly issues: IssueUseCases;
  readonly overview: OverviewUseCases;
  readonly records: RecordUseCases;
  readonly contacts: ContactUseCases;
  readonly erasures: ErasureUseCases;
  readonly blogPosts: BlogPostUseCases;
  readonly eventTypes: EventTypeUseCases;
  /** The known events with the fields of their data, for people. */
  readonly describeEventTypes: () => readonly DescribedEventType[];
  readonly subscribers: SubscriberUseCases;
  readonly suppressions: SuppressionUseCases;
  readonly hostEventTypes: HostEventTypeUseCases;
  readonly listeners: ListenerUseCases;
  readonly consoleEvents: ConsoleEventUseCases;
  readonly developer: DeveloperUseCases;
  /** Resolves when no webhook test is in progress. Await it before you close the transport. */
  testsEnded(): Promise<void>;
}
