export type {
  AccountUseCases,
  ApiKeyUseCases,
  BlogPostUseCases,
  Caller,
  ContactUseCases,
  DeliveryUseCases,
  EmailListUseCases,
  EventTypeUseCases,
  OrderFilters,
  OrderUseCases,
  Page,
  PageRequest,
  ProjectUseCases,
  PublishInput,
  PublishResult,
  RecordText,
  RecordUseCases,
  Service,
  SessionUseCases,
  SubscriberUseCases,
  SuppressionUseCases,
  WebhookUseCases,
} from "./use-cases.ts";
export { accountImportKey, isRowOfAccount, readAccountRows } from "./accounts/account-rows.ts";
export type { AccountRowEntry } from "./accounts/account-rows.ts";
export { createService } from "./create-service.ts";
export type { ServiceOptions } from "./create-service.ts";
export { createReadMessages } from "./records/read-messages.ts";
export type { Mail, Mailer } from "./notices/mailer.ts";
export { createOwnerMails } from "./notices/owner-mails.ts";
export type { OwnerMails } from "./notices/owner-mails.ts";
export { createRateLimiter } from "./limits/rate-limiter.ts";
export type { RateDecision, RateLimiter, RateLimiterOptions } from "./limits/rate-limiter.ts";
export { createRequestLog } from "./limits/request-log.ts";
export type { LoggedRequest, RequestLog, RequestLogOptions } from "./limits/request-log.ts";
