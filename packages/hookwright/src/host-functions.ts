import type {
  AccountUseCases,
  ApiKeyUseCases,
  BlogPostUseCases,
  ContactUseCases,
  EmailListUseCases,
  ProjectUseCases,
  PublishInput,
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
  /** One entry for each item in order: a bad item never stops the others. */
  publishMany(inputs: readonly PublishInput[]): ReturnType<Service["publishMany"]>;
  readonly accounts: HostAccounts;
  readonly projects: HostProjects;
  readonly emailLists: HostEmailLists;
  readonly apiKeys: HostApiKeys;
  readonly webhooks: HostWebhooks;
  readonly contacts: HostContacts;
  readonly subscribers: HostSubscribers;
  readonly suppressions: HostSuppressions;
  readonly blogPosts: HostBlogPosts;
  readonly sessions: HostSessions;
}

type UntypedFunctions = Pick<Service, "publish" | "orders" | "deliveries" | "records" | "eventTypes">;

interface HostAccounts extends Omit<AccountUseCases, "put"> {
  /** Creates the account, or changes what is given. @throws HookwrightError `validation_failed` */
  put(accountId: string, input: AccountInput): ReturnType<AccountUseCases["put"]>;
}

interface HostProjects extends Omit<ProjectUseCases, "put"> {
  /** Creates a site, or changes what is given. @throws HookwrightError `validation_failed` */
  put(projectId: string, input: ProjectInput): ReturnType<ProjectUseCases["put"]>;
}

interface HostEmailLists extends Omit<EmailListUseCases, "put"> {
  /** Creates an email list, or changes what is given. @throws HookwrightError `validation_failed` */
  put(listId: string, input: EmailListInput): ReturnType<EmailListUseCases["put"]>;
}

interface HostApiKeys extends Omit<ApiKeyUseCases, "create"> {
  /**
   * The answer is the only place where `api_key` ever appears.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`; `invalid_state` with 100 keys that are not revoked
   */
  create(accountId: string, input: ApiKeyInput): ReturnType<ApiKeyUseCases["create"]>;
}

interface HostWebhooks extends Omit<WebhookUseCases, "create"> {
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

interface HostContacts extends Omit<ContactUseCases, "write"> {
  /** Creates a contact, or updates the one with this address on this site. @throws HookwrightError `validation_failed` */
  write(accountId: string, input: ContactInputBody): ReturnType<ContactUseCases["write"]>;
}

interface HostSubscribers extends Omit<SubscriberUseCases, "subscribe" | "put"> {
  /**
   * As `POST /v1/subscribers` does: somebody new emits `subscriber.created`.
   *
   * @throws HookwrightError `validation_failed`, `invalid_list`, `email_rejected`, `plan_limit_reached`
   */
  subscribe(accountId: string, input: SubscriberInputBody): ReturnType<SubscriberUseCases["subscribe"]>;
  /** The host's own write: emits nothing. @throws HookwrightError `validation_failed` */
  put(projectId: string, email: string, input: HostSubscriberInput): ReturnType<SubscriberUseCases["put"]>;
}

interface HostSuppressions extends Omit<SuppressionUseCases, "put"> {
  /** Nobody can subscribe with this address from now on. @throws HookwrightError `validation_failed` */
  put(email: string, input: SuppressionInput): ReturnType<SuppressionUseCases["put"]>;
}

interface HostBlogPosts extends Omit<BlogPostUseCases, "create"> {
  /** Always creates a draft. @throws HookwrightError `validation_failed`, `plan_limit_reached` */
  create(accountId: string, input: BlogPostInput): ReturnType<BlogPostUseCases["create"]>;
}

interface HostSessions extends Omit<SessionUseCases, "create"> {
  /**
   * @param from.peerAddress the IP address at the other end of the connection, by which guessing over many accounts is slowed
   * down; never one that a header tells. @default not known
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  create(
    input: SignInInput,
    from?: Parameters<SessionUseCases["create"]>[1],
  ): ReturnType<SessionUseCases["create"]>;
}
