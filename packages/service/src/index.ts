export type {
  AccountUseCases,
  ApiKeyUseCases,
  AuditFilters,
  AuditUseCases,
  BlogPostUseCases,
  Caller,
  CallerService,
  ClientAddress,
  ConsoleEventUseCases,
  ContactUseCases,
  DeliveryFilters,
  DeliveryUseCases,
  DeveloperUseCases,
  EmailListUseCases,
  ErasureUseCases,
  EventStream,
  EventTypeUseCases,
  FailedAuthentication,
  LedgerFilters,
  ListenerStreamOptions,
  ListenerUseCases,
  OrderFilters,
  OrderUseCases,
  OverviewUseCases,
  Page,
  PageRequest,
  PeopleUseCases,
  ProjectUseCases,
  PublishResult,
  RecordText,
  RecordUseCases,
  RejectedEventUseCases,
  Service,
  StreamAccess,
  SessionUseCases,
  SubscriberUseCases,
  HostEventTypeUseCases,
  SuppressionUseCases,
  ChangeOrigin,
  WebhookCreation,
  ResendUseCases,
  WebhookActionUseCases,
  WebhookUseCases,
} from "./use-cases.ts";
export type { AuditRow } from "./rows/audit-row.ts";
export { hasAccounts } from "./accounts/list-accounts.ts";
export { toSessionActor } from "./sign-in/session-holder.ts";
export { hasRoomForSignIn } from "./sign-in/sign-in-index.ts";
export type { SignInCount } from "./sign-in/sign-in-index.ts";
export { accountImportKey, isRowOfAccount, readAccountRows } from "./accounts/account-rows.ts";
export type { AccountRowEntry } from "./accounts/account-rows.ts";
export {
  bindServerSecret,
  compareServerSecret,
  isBoundToServerSecret,
} from "./secrets/server-secret-match.ts";
export type { ServerSecretMatch, ServerSecretOptions } from "./secrets/server-secret-match.ts";
export { checkStore } from "./store-check/check-store.ts";
export type { CheckStoreOptions, Damage, DamageType } from "./store-check/check-store.ts";
export type { StoreContents } from "./store-check/store-contents.ts";
export { rotateServerSecret } from "./secrets/rotate-server-secret.ts";
export type { RotateServerSecretOptions, ServerSecretRotation } from "./secrets/rotate-server-secret.ts";
export { createServerKeys } from "./secrets/server-keys.ts";
export type { ServerKeys } from "./secrets/server-keys.ts";
export { createNetworkThrottle } from "./sign-in/network-throttle.ts";
export type { NetworkThrottle, NetworkThrottleOptions } from "./sign-in/network-throttle.ts";
export { createService } from "./create-service.ts";
export { readAccountTotals, sumOutcomes } from "./accounts/account-totals.ts";
export type { AccountTotals } from "./accounts/account-totals.ts";
export type { Repositories, ServiceOptions } from "./create-service.ts";
export type { DeliveryWorker, TestSender } from "./context.ts";
export type { BlogPostDraft } from "./content/blog-post-draft.ts";
export type { BlogPostRepository, BlogPostRules } from "./repositories/blog-post-repository.ts";
export type { ContactFilters, ContactRepository } from "./repositories/contact-repository.ts";
export { contactKey, mergeCustomer } from "./repositories/merge-contact.ts";
export type {
  ContactKey,
  MergeContact,
  MergedContact,
  StoredContactFields,
} from "./repositories/merge-contact.ts";
export { createFindOrdersOfHost } from "./repositories/orders-of-host.ts";
export type { OrderRepository } from "./repositories/order-repository.ts";
export { RepositoryError } from "./repositories/repository.ts";
export type {
  Awaitable,
  Listed,
  ListPage,
  ListPosition,
  RepositoryCall,
  RepositoryErrorCode,
} from "./repositories/repository.ts";
export { readServerEvents } from "./records/read-server-events.ts";
export type { ServerEvents } from "./records/read-server-events.ts";
export { findRemovedEvents, isKnownOwnEvent } from "./webhooks/removed-events.ts";
export type { RemovedEvent } from "./webhooks/removed-events.ts";
export { renderBody } from "./rows/render-body.ts";
export { createReadMessages } from "./deliveries/read-messages.ts";
export type { Mail, Mailer } from "./notices/notice-mail.ts";
export { isOperators } from "./notices/to-happened.ts";
export { createNoticeRunner } from "./notices/notice-runner.ts";
export type { NoticeRunner, NoticeRunnerOptions } from "./notices/notice-runner.ts";
export type { OnNotice } from "./notices/hand-over.ts";
export { toHappened } from "./notices/to-happened.ts";
export { createJobRunner } from "./jobs/job-runner.ts";
export type { JobRunner, JobRunnerOptions } from "./jobs/job-runner.ts";
export { createDeclaredEvents } from "./records/declared-events.ts";
export type { DeclaredEvents } from "./records/declared-events.ts";
export { createSweeper } from "./retention/sweeper.ts";
export type { AccountSweep, Sweeper, SweeperOptions } from "./retention/sweeper.ts";
export { createSigning } from "./secrets/signing.ts";
export type { Signing } from "./secrets/signing.ts";
export { createFairQueue } from "./limits/fair-queue.ts";
export type { FairQueue, FairQueueOptions, QueueLimits, QueueRefusal } from "./limits/fair-queue.ts";
export { createRateLimiter } from "./limits/rate-limiter.ts";
export type { RateDecision, RateLimiter, RateLimiterOptions } from "./limits/rate-limiter.ts";
export type { RequestFilters } from "./request-log/request-filters.ts";
export { createRequestLog } from "./request-log/request-log.ts";
export type { RequestLog, RequestLogOptions } from "./request-log/request-log.ts";
export type { LoggedRequest } from "./request-log/request-row.ts";
export { toClientNetwork } from "./sign-in/client-network.ts";
