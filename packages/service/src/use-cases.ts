import type {
  Attempt,
  ConsoleWebhook,
  Delivery,
  DeliveryDetail,
  DescribedEventType,
  ErrorCode,
  HostStats,
  Recovery,
  Resend,
  ResendPreview,
  ValidEvent,
} from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import type {
  AccountUseCases,
  ApiKeyUseCases,
  AuditUseCases,
  EmailListUseCases,
  ErasureUseCases,
  ProjectUseCases,
  SuppressionUseCases,
} from "./use-cases/accounts.ts";
import type { Caller, ChangeOrigin } from "./use-cases/caller.ts";
import type {
  DeliveryFilters,
  DeliveryUseCases,
  IssueUseCases,
  OverviewUseCases,
  ResendUseCases,
  SearchUseCases,
  ShareUseCases,
} from "./use-cases/deliveries.ts";
import type { EventTypeUseCases, HostEventTypeUseCases, RejectedEventUseCases } from "./use-cases/events.ts";
import type { NoticeEndpointUseCases, NoticeTargetUseCases } from "./use-cases/notices.ts";
import type { Page, PageRequest } from "./use-cases/page.ts";
import type { PeopleUseCases, SessionUseCases } from "./use-cases/people.ts";
import type {
  BlogPostUseCases,
  ContactUseCases,
  OrderUseCases,
  PublishResult,
  RecordUseCases,
  SubscriberUseCases,
} from "./use-cases/records.ts";
import type { ConsoleEventUseCases, ListenerUseCases } from "./use-cases/streams.ts";
import type { WebhookActionUseCases, WebhookUseCases } from "./use-cases/webhooks.ts";

export type * from "./use-cases/accounts.ts";
export type * from "./use-cases/caller.ts";
export type * from "./use-cases/deliveries.ts";
export type * from "./use-cases/events.ts";
export type * from "./use-cases/notices.ts";
export type * from "./use-cases/page.ts";
export type * from "./use-cases/people.ts";
export type * from "./use-cases/records.ts";
export type * from "./use-cases/streams.ts";
export type * from "./use-cases/webhooks.ts";

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
