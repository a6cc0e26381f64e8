import type { DescribedEventType, ErrorCode, HostStats, ValidEvent } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import type {
  AccountUseCases,
  ApiKeyUseCases,
  AuditUseCases,
  ErasureUseCases,
  ProjectUseCases,
} from "./use-cases/accounts.ts";
import type {
  ContactUseCases,
  EmailListUseCases,
  SubscriberUseCases,
  SuppressionUseCases,
} from "./use-cases/audience.ts";
import type { Caller } from "./use-cases/caller.ts";
import type { DeliveryUseCases, ResendUseCases, ShareUseCases } from "./use-cases/deliveries.ts";
import type { DeveloperUseCases } from "./use-cases/developer.ts";
import type { EventTypeUseCases, HostEventTypeUseCases, RejectedEventUseCases } from "./use-cases/events.ts";
import type { NoticeEndpointUseCases, NoticeTargetUseCases } from "./use-cases/notices.ts";
import type { IssueUseCases, OverviewUseCases, SearchUseCases } from "./use-cases/overview.ts";
import type { PeopleUseCases, SessionUseCases } from "./use-cases/people.ts";
import type { BlogPostUseCases, OrderUseCases, PublishResult, RecordUseCases } from "./use-cases/records.ts";
import type { ConsoleEventUseCases, ListenerUseCases } from "./use-cases/streams.ts";
import type { WebhookActionUseCases, WebhookUseCases } from "./use-cases/webhooks.ts";

export type * from "./use-cases/accounts.ts";
export type * from "./use-cases/audience.ts";
export type * from "./use-cases/caller.ts";
export type * from "./use-cases/deliveries.ts";
export type * from "./use-cases/developer.ts";
export type * from "./use-cases/events.ts";
export type * from "./use-cases/notices.ts";
export type * from "./use-cases/overview.ts";
export type * from "./use-cases/page.ts";
export type * from "./use-cases/people.ts";
export type * from "./use-cases/records.ts";
export type * from "./use-cases/streams.ts";
export type * from "./use-cases/webhooks.ts";

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

/** All use cases. Each parses its `unknown` input, and throws `validation_failed` if it is invalid. */
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
