import type {
  DeliveryBody,
  EventName,
  Order,
  PublishInput,
  UncheckedEvent,
  ValidEvent,
} from "@hookwright/domain";
import type {
  AccountUseCases,
  ApiKeyUseCases,
  BlogPostUseCases,
  ContactUseCases,
  DeliveryUseCases,
  EmailListUseCases,
  EventTypeUseCases,
  OrderFilters,
  Page,
  PageRequest,
  ProjectUseCases,
  Service,
  SessionUseCases,
  SubscriberUseCases,
  SuppressionUseCases,
  WebhookUseCases,
} from "@hookwright/service";
import type {
  AccountInput,
  ApiKeyInput,
  BlogPostInput,
  ContactInputBody,
  EmailListInput,
  HostSubscriberInput,
  ProjectInput,
  SignInInput,
  SubscriberInputBody,
  SuppressionInput,
  WebhookInputBody,
} from "./host-inputs.ts";

/**
 * What a host calls. The use cases parse whatever they are given, so that the API may hand them JSON as it came; here they are
 * declared with what they take, so that a compiler finds a misspelt field before anything runs.
 */
export interface HostFunctions extends UntypedFunctions {
  /**
   * Something happened on a site. Once this resolves nothing is lost; when it throws nothing was written.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  publish<Name extends EventName>(input: PublishInput<Name>): ReturnType<Service["publish"]>;
  /** One entry for each item in order: a bad item never stops the others. */
  publishMany(inputs: readonly PublishInput[]): ReturnType<Service["publishMany"]>;
  /**
   * What `publish` would make of an event, without publishing it. Call it before you commit your own transaction.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  validateEvent<Name extends EventName>(input: UncheckedEvent<Name>): Promise<ValidEvent<Name>>;
  readonly accounts: HostAccounts;
  readonly projects: HostProjects;
  readonly emailLists: HostEmailLists;
  readonly apiKeys: HostApiKeys;
  readonly webhooks: HostWebhooks;
  readonly orders: HostOrders;
  readonly deliveries: HostDeliveries;
  readonly eventTypes: HostEventTypes;
  readonly contacts: HostContacts;
  readonly subscribers: HostSubscribers;
  readonly suppressions: HostSuppressions;
  readonly blogPosts: HostBlogPosts;
  readonly sessions: HostSessions;
}

type UntypedFunctions = Pick<Service, "records">;

/** Which rows of a list are answered: 25 where no `limit` is said, and at most 100. */
export interface HostPage {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A list as a host calls it. @throws HookwrightError `validation_failed`, `invalid_cursor` */
type HostList<List> = List extends (...given: [...infer Before, PageRequest]) => infer Answer
  ? (...given: [...before: Before, page?: HostPage]) => Answer
  : never;

export interface HostOrders {
  /** One order, as webhooks send it. @throws HookwrightError `resource_not_found` */
  get(accountId: string, orderId: string): Promise<Order>;
  /** Newest first. @throws HookwrightError `validation_failed`, `invalid_cursor` */
  list(accountId: string, filters: OrderFilters, page?: HostPage): Promise<Page<Order>>;
}

export interface HostDeliveries extends Omit<DeliveryUseCases, "list"> {
  /** The log, newest first. A page may hold fewer than asked for although there are more. */
  readonly list: HostList<DeliveryUseCases["list"]>;
}

export interface HostEventTypes extends Omit<EventTypeUseCases, "samples"> {
  /**
   * The newest records published under an event, each as the complete body of a delivery.
   *
   * @param options.limit 1 to 10. @default 10
   * @throws HookwrightError `validation_failed`, `unknown_event`
   */
  samples(
    accountId: string,
    event: string,
    options?: { readonly project_id?: string | undefined; readonly limit?: number | undefined },
  ): Promise<readonly DeliveryBody[]>;
}

export interface HostAccounts extends Omit<AccountUseCases, "put"> {
  /** Creates the account, or changes what is given. @throws HookwrightError `validation_failed` */
  put(accountId: string, input: AccountInput): ReturnType<AccountUseCases["put"]>;
}

export interface HostProjects extends Omit<ProjectUseCases, "put" | "list"> {
  readonly list: HostList<ProjectUseCases["list"]>;
  /** Creates a site, or changes what is given. @throws HookwrightError `validation_failed` */
  put(projectId: string, input: ProjectInput): ReturnType<ProjectUseCases["put"]>;
}

export interface HostEmailLists extends Omit<EmailListUseCases, "put" | "list"> {
  readonly list: HostList<EmailListUseCases["list"]>;
  /** Creates an email list, or changes what is given. @throws HookwrightError `validation_failed` */
  put(listId: string, input: EmailListInput): ReturnType<EmailListUseCases["put"]>;
}

export interface HostApiKeys extends Omit<ApiKeyUseCases, "create" | "list"> {
  readonly list: HostList<ApiKeyUseCases["list"]>;
  /**
   * The answer is the only place where `api_key` ever appears.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`; `invalid_state` with 100 keys that are not revoked
   */
  create(accountId: string, input: ApiKeyInput): ReturnType<ApiKeyUseCases["create"]>;
}

export interface HostWebhooks extends Omit<WebhookUseCases, "create" | "list" | "listForConsole"> {
  readonly list: HostList<WebhookUseCases["list"]>;
  /** The same webhooks with what only their owner sees. */
  readonly listForConsole: HostList<WebhookUseCases["listForConsole"]>;
  /**
   * `created` false: the existing webhook, unchanged and without its secret.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `webhook_limit_reached`
   */
  create(
    caller: Parameters<WebhookUseCases["create"]>[0],
    input: WebhookInputBody,
  ): ReturnType<WebhookUseCases["create"]>;
}

export interface HostContacts extends Omit<ContactUseCases, "write" | "list"> {
  readonly list: HostList<ContactUseCases["list"]>;
  /** Creates a contact, or updates the one with this address on this site. @throws HookwrightError `validation_failed` */
  write(accountId: string, input: ContactInputBody): ReturnType<ContactUseCases["write"]>;
}

export interface HostSubscribers extends Omit<SubscriberUseCases, "subscribe" | "put"> {
  /**
   * As `POST /v1/subscribers` does: somebody new emits `subscriber.created`.
   *
   * @throws HookwrightError `validation_failed`, `invalid_list`, `email_rejected`, `plan_limit_reached`
   */
  subscribe(accountId: string, input: SubscriberInputBody): ReturnType<SubscriberUseCases["subscribe"]>;
  /** The host's own write: emits nothing. @throws HookwrightError `validation_failed` */
  put(projectId: string, email: string, input: HostSubscriberInput): ReturnType<SubscriberUseCases["put"]>;
}

export interface HostSuppressions extends Omit<SuppressionUseCases, "put"> {
  /** Nobody can subscribe with this address from now on. @throws HookwrightError `validation_failed` */
  put(email: string, input: SuppressionInput): ReturnType<SuppressionUseCases["put"]>;
}

export interface HostBlogPosts extends Omit<BlogPostUseCases, "create"> {
  /** Always creates a draft. @throws HookwrightError `validation_failed`, `plan_limit_reached` */
  create(accountId: string, input: BlogPostInput): ReturnType<BlogPostUseCases["create"]>;
}

export interface HostSessions extends Omit<SessionUseCases, "create"> {
  /**
   * @param client.clientAddress the IP address of the client, by which limits count: that of the connection, or the one that a trusted
   * proxy named. Never take it from a header that the client itself can write. @default not known
   * @param client.isForwarded whether a trusted proxy named the address. @default false
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  create(
    input: SignInInput,
    client?: Parameters<SessionUseCases["create"]>[1],
  ): ReturnType<SessionUseCases["create"]>;
}
