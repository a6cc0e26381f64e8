export type {
  AccountUseCases,
  ApiKeyUseCases,
  AuditFilters,
  AuditUseCases,
  BlogPostUseCases,
  Caller,
  ClientAddress,
  ConsoleEventUseCases,
  ContactUseCases,
  DeliveryFilters,
  DeliveryUseCases,
  DeveloperUseCases,
  EmailListUseCases,
  EventStream,
  EventTypeUseCases,
  FailedAuthentication,
  ListenerStreamOptions,
  ListenerUseCases,
  OrderFilters,
  OrderUseCases,
  OverviewUseCases,
  Page,
  PageRequest,
  ProjectUseCases,
  PublishResult,
  RecordText,
  RecordUseCases,
  Service,
  StreamAccess,
  SessionUseCases,
  SubscriberUseCases,
  SuppressionUseCases,
  ChangeOrigin,
  WebhookCreation,
  WebhookActionUseCases,
  WebhookUseCases,
} from "./use-cases.ts";
export type { AuditRow } from "./rows/audit-row.ts";
export { sweepAuditLog } from "./audit/audit-log.ts";
export type { SweepAuditOptions } from "./audit/audit-log.ts";
export { hasAccounts } from "./accounts/has-accounts.ts";
export { hasRoomForSignIn } from "./accounts/find-sign-ins.ts";
export type { SignInCount } from "./accounts/find-sign-ins.ts";
export { accountImportKey, isRowOfAccount, readAccountRows } from "./transfer/account-rows.ts";
export type { AccountRowEntry } from "./transfer/account-rows.ts";
export {
  bindServerSecret,
  compareServerSecret,
  isBoundToServerSecret,
} from "./server-secret/server-secret-match.ts";
export type { ServerSecretMatch, ServerSecretOptions } from "./server-secret/server-secret-match.ts";
export { checkStore } from "./store-check/check-store.ts";
export type { CheckStoreOptions, Damage, DamageType } from "./store-check/check-store.ts";
export type { StoreContents } from "./store-check/store-contents.ts";
export { rotateServerSecret } from "./secret-rotation/rotate-server-secret.ts";
export type {
  RotateServerSecretOptions,
  ServerSecretRotation,
} from "./secret-rotation/rotate-server-secret.ts";
export { createServerKeys } from "./server-secret/server-keys.ts";
export type { ServerKeys } from "./server-secret/server-keys.ts";
export { createNetworkThrottle } from "./console/network-throttle.ts";
export type { NetworkThrottle, NetworkThrottleOptions } from "./console/network-throttle.ts";
export { createService } from "./create-service.ts";
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
export { findRemovedEvents, isKnownOwnEvent } from "./webhooks/removed-events.ts";
export type { RemovedEvent } from "./webhooks/removed-events.ts";
export { renderBody } from "./deliveries/render-body.ts";
export { createReadMessages } from "./deliveries/read-messages.ts";
export type { Mail, Mailer } from "./notices/mailer.ts";
export { createOwnerMails } from "./notices/owner-mails.ts";
export type { OwnerMails } from "./notices/owner-mails.ts";
export { createJobRunner } from "./jobs/job-runner.ts";
export type { JobRunner, JobRunnerOptions } from "./jobs/job-runner.ts";
export { sweepMissedEvents } from "./recoveries/missed-events.ts";
export type { SweepMissedOptions } from "./recoveries/missed-events.ts";
export { readAccountRetention } from "./retention/read-account-retention.ts";
export type { OwnRetention } from "./retention/read-account-retention.ts";
export { createSweeper } from "./retention/sweeper.ts";
export type { AccountSweep, Sweeper, SweeperOptions } from "./retention/sweeper.ts";
export { createSigning } from "./signing/signing.ts";
export type { Signing } from "./signing/signing.ts";
export { createFairQueue } from "./limits/fair-queue.ts";
export type { FairQueue, FairQueueOptions, QueueLimits, QueueRefusal } from "./limits/fair-queue.ts";
export { createRateLimiter } from "./limits/rate-limiter.ts";
export type { RateDecision, RateLimiter, RateLimiterOptions } from "./limits/rate-limiter.ts";
export type { RequestFilters } from "./limits/request-filters.ts";
export { createRequestLog } from "./limits/request-log.ts";
export type { RequestLog, RequestLogOptions } from "./limits/request-log.ts";
export type { LoggedRequest } from "./limits/request-row.ts";
export { toClientNetwork } from "./console/client-network.ts";
