export { parseAllowedTargets } from "./allowed-targets.ts";
export type { AllowedTargets, AllowedTargetsVerdict } from "./allowed-targets.ts";
export { countAttempt, switchOffAfterFailures, warnAfterFailures } from "./failure-breaker.ts";
export type { CountedAttempt, FailureCount } from "./failure-breaker.ts";
export { blankFields, fillsAny, mergeContact } from "./contact-merge.ts";
export type { ContactFields, ContactInput, RecordContactField } from "./contact-merge.ts";
export { deliveryInputs, deliveryStates, moveDelivery } from "./delivery-state.ts";
export type { DeliveryInput, DeliveryState } from "./delivery-state.ts";
export { emailSchema, isEmailAddress, normaliseEmail } from "./email-address.ts";
export { ConfigurationError } from "./configuration-error.ts";
export type { OptionProblem } from "./configuration-error.ts";
export { errorCatalogue, HookwrightError, isHookwrightError } from "./errors.ts";
export type { ErrorCode, HookwrightErrorOptions } from "./errors.ts";
export { parseJson, stringifyJson } from "./exact-json.ts";
export type { Json } from "./exact-json.ts";
export { findNearest } from "./find-nearest.ts";
export { checkHostTokens, hostScopes, isSendableToken, parseHostTokens } from "./host-tokens.ts";
export type { HostScope, HostToken, ParsedHostTokens } from "./host-tokens.ts";
export { customerOf } from "./events/customer-of.ts";
export type { RecordCustomer } from "./events/customer-of.ts";
export type { Booking, BookingInput } from "./events/booking.ts";
export type { Enquiry, EnquiryInput } from "./events/enquiry.ts";
export { eventCatalogue, sampleDeliveryBody } from "./events/event-catalogue.ts";
export type {
  DeliveryBody,
  DeliveryProject,
  EventData,
  EventDefinition,
  EventInput,
  OtherDeliveryBody,
} from "./events/event-catalogue.ts";
export { bodyId, eventNames, isEventName, recordKinds } from "./events/event-names.ts";
export type { EventName, OtherEventName, RecordKind } from "./events/event-names.ts";
export { describeFields } from "./events/describe-fields.ts";
export type { EventField } from "./events/describe-fields.ts";
export { createEventRegistry, specificationEvents } from "./events/event-registry.ts";
export type { EventRegistry, EventRegistryCreation, RegisteredEvent } from "./events/event-registry.ts";
export type {
  KnownEventName,
  NoOwnEvents,
  OwnDeliveryBody,
  OwnEventData,
  OwnEventInput,
} from "./events/own-event-types.ts";
export type { OwnEvent, OwnEventProblem, OwnEvents } from "./events/own-events.ts";
export type { OwnRecordData } from "./events/own-record.ts";
export { isOfKind } from "./events/record-kinds.ts";
export type { KindData } from "./events/record-kinds.ts";
export type {
  SchemaInput,
  SchemaOutput,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./events/standard-schema.ts";
export type { Field, Fields } from "./events/field.ts";
export type { AmountInput } from "./events/amount-fields.ts";
export type { TextInput } from "./events/plain-value.ts";
export type { TimeInput } from "./events/time-fields.ts";
export { unknownEventProblem } from "./events/unknown-event.ts";
export { orderSchema } from "./events/order.ts";
export type { Order, OrderInput } from "./events/order.ts";
export { readEvent, toValidEvent, validateEvent } from "./events/read-event.ts";
export type {
  EventReading,
  PublishInput,
  ReadEvent,
  ReadEventOptions,
  UncheckedEvent,
  ValidEvent,
} from "./events/read-event.ts";
export { expectRecord, keepCreatedAt, readRecord, toDeliveredData } from "./events/read-record.ts";
export type { ReadRecord, ReadRecordOptions, RecordData, RecordReading } from "./events/read-record.ts";
export type { Rental, RentalInput } from "./events/rental.ts";
export type { Review, ReviewInput } from "./events/review.ts";
export type { SubscriberRecord, SubscriberRecordInput } from "./events/subscriber.ts";
export { isProduction } from "./is-production.ts";
export { createIdSource, hostIdSchema, idsSince, idTime, isHostId, isRecordId } from "./ids.ts";
export type { IdPrefix, IdSourceOptions } from "./ids.ts";
export type { InputBody } from "./input-body.ts";
export { createLogWriter } from "./log/log-writer.ts";
export type { ErrorContext, LogFields, OnError, WriteLogLine } from "./log/log-writer.ts";
export { toErrorFields } from "./log/error-fields.ts";
export type { ErrorFields } from "./log/error-fields.ts";
export { logLines } from "./log/log-lines.ts";
export type { LogCode } from "./log/log-lines.ts";
export type { Logger, LogLevel, LogLine } from "./log/logger.ts";
export { pinoLogger, toMessageFirst } from "./log/pino-logger.ts";
export type { PinoLike } from "./log/pino-logger.ts";
export { findKeptBlogPostProblems } from "./kept/kept-blog-post.ts";
export type { KeptBlogPost } from "./kept/kept-blog-post.ts";
export { findKeptContactProblems } from "./kept/kept-contact.ts";
export type { KeptContact } from "./kept/kept-contact.ts";
export { readKeptOrder } from "./kept/kept-order.ts";
export type { KeptOrder, ReadOrder, SiteOrder } from "./kept/kept-order.ts";
export { npxPackage } from "./npx-package.ts";
export { expectIntegrations, fitsLimit, mergePlan } from "./plan.ts";
export { isPublicAddress } from "./public-address.ts";
export { parseProxyUrl } from "./proxy-url.ts";
export type { ProxyTarget } from "./proxy-url.ts";
export { parsePublicUrl } from "./public-url.ts";
export {
  accountInputSchema,
  accountSchema,
  accountStatusSchema,
  hostAccountSchema,
  planInputSchema,
  planSchema,
} from "./resources/account.ts";
export type {
  Account,
  AccountInput,
  AccountStatus,
  HostAccount,
  Plan,
  PlanInput,
} from "./resources/account.ts";
export { defaultAccountLimits, defaultAccountRetention } from "./resources/account-limits.ts";
export type { AccountLimits, AccountRetention } from "./resources/account-limits.ts";
export { auditActions, auditEntrySchema } from "./resources/audit.ts";
export type { AuditAction, AuditActor, AuditEntry, AuditTarget } from "./resources/audit.ts";
export { apiKeyInputSchema, apiKeySchema, createdApiKeySchema } from "./resources/api-key.ts";
export type { ApiKey, ApiKeyInput, CreatedApiKey } from "./resources/api-key.ts";
export { blogPostInputSchema, blogPostSchema } from "./resources/blog-post.ts";
export type { BlogPost, BlogPostInput } from "./resources/blog-post.ts";
export { contactInputSchema, contactSchema } from "./resources/contact.ts";
export type { Contact, ContactInputBody } from "./resources/contact.ts";
export { hostStatsSchema, hostWebhookSchema, maximumWaiting } from "./resources/host-view.ts";
export type { HostStats, HostWebhook } from "./resources/host-view.ts";
export { deletedSchema } from "./resources/deleted.ts";
export type { Deleted } from "./resources/deleted.ts";
export {
  attemptErrors,
  attemptSchema,
  deliveryCountsSchema,
  deliveryDetailSchema,
  deliverySchema,
} from "./resources/delivery.ts";
export type {
  Attempt,
  AttemptError,
  Delivery,
  DeliveryCounts,
  DeliveryDetail,
} from "./resources/delivery.ts";
export { emailListInputSchema, emailListSchema } from "./resources/email-list.ts";
export type { EmailList, EmailListInput } from "./resources/email-list.ts";
export { deliveryBodySchema, describedEventTypeSchema, eventTypeSchema } from "./resources/event-type.ts";
export type { DescribedEventType, EventType } from "./events/event-type.ts";
export {
  createdListenerSchema,
  listenerInputSchema,
  listenerResultInputSchema,
  listenerResultSchema,
  triggeredSchema,
  triggerInputSchema,
} from "./resources/listener.ts";
export type {
  CreatedListener,
  ListenerInputBody,
  ListenerResult,
  ListenerResultInput,
  Triggered,
  TriggerInputBody,
} from "./resources/listener.ts";
export {
  listedConsoleWebhookSchema,
  overviewPeriods,
  overviewSchema,
  webhookHealthSchema,
} from "./resources/overview.ts";
export type {
  Attention,
  ListedConsoleWebhook,
  Overview,
  OverviewPeriod,
  WebhookHealth,
} from "./resources/overview.ts";
export { projectInputSchema, projectSchema } from "./resources/project.ts";
export type { Project, ProjectInput } from "./resources/project.ts";
export { publishInputSchema } from "./resources/publish.ts";
export type { PublishInputBody } from "./resources/publish.ts";
export {
  recoveredStatuses,
  recoveryInputSchema,
  recoveryPreviewSchema,
  recoverySchema,
} from "./resources/recovery.ts";
export type { RecoveredStatus, Recovery, RecoveryInput, RecoveryPreview } from "./resources/recovery.ts";
export { rateLimitSchema } from "./resources/rate-limit.ts";
export type { RateLimit } from "./resources/rate-limit.ts";
export { requestCountsSchema } from "./resources/request-counts.ts";
export type { RequestBucket, RequestCounts } from "./resources/request-counts.ts";
export { requestLogEntrySchema } from "./resources/request-log-entry.ts";
export type { RequestLogEntry } from "./resources/request-log-entry.ts";
export {
  consoleLinkInputSchema,
  consoleLinkSchema,
  linkCodeSchema,
  linkedSessionSchema,
  signedOutSchema,
  sessionSchema,
  signInSchema,
} from "./resources/session.ts";
export type {
  ConsoleLink,
  ConsoleLinkInput,
  LinkCodeInput,
  LinkedSession,
  Session,
  SignInInput,
} from "./resources/session.ts";
export {
  hostSubscriberInputSchema,
  subscriberInputSchema,
  subscriberSchema,
  suppressionInputSchema,
  suppressionReasonSchema,
} from "./resources/subscriber.ts";
export type {
  HostSubscriberInput,
  Subscriber,
  SubscriberInputBody,
  SuppressionInput,
} from "./resources/subscriber.ts";
export {
  presentWebhookStatuses,
  webhookActionInputSchema,
  webhookActionPreviewSchema,
  webhookActionSchema,
} from "./resources/webhook-action.ts";
export type {
  WebhookAction,
  WebhookActionFilter,
  WebhookActionInput,
  WebhookActionName,
  WebhookActionPreview,
} from "./resources/webhook-action.ts";
export {
  consoleWebhookInputSchema,
  consoleWebhookSchema,
  createdBySchema,
  createdConsoleWebhookSchema,
  createdWebhookSchema,
  maximumMissed,
  eventNameField,
  disableInputSchema,
  webhookChangesSchema,
  webhookInputSchema,
  webhookSchema,
} from "./resources/webhook.ts";
export type {
  ConsoleWebhook,
  CreatedBy,
  CreatedConsoleWebhook,
  CreatedWebhook,
  DisableInput,
  Webhook,
  WebhookChangesInput,
  WebhookInputBody,
} from "./resources/webhook.ts";
export { readCustomHeaders } from "./custom-headers.ts";
export type { CustomHeader, CustomHeaders } from "./custom-headers.ts";
export { takeSnapshot, touchSnapshot } from "./record-snapshot.ts";
export type { PublishedSnapshot, RecordSnapshot, SnapshotChange } from "./record-snapshot.ts";
export { parseRetryAfter } from "./retry-after.ts";
export { decimalSetting, choiceSetting, switchSetting, wholeNumberSetting } from "./settings/setting.ts";
export type { Setting } from "./settings/setting.ts";
export { settingNames, settings } from "./settings/settings.ts";
export type { SettingName, SettingValues } from "./settings/settings.ts";
export { defaultRetryDelaysSeconds, maximumTries, retryDelayMs } from "./retry-schedule.ts";
export type { RetryDelayInput } from "./retry-schedule.ts";
export { moveRotation, rotationInputs, rotationStates } from "./rotation-state.ts";
export type { RotationInput, RotationState } from "./rotation-state.ts";
export { isSentEmpty, withoutEmpty, withoutEmptyIn } from "./sent-empty.ts";
export { joinSubscriber } from "./subscriber-join.ts";
export type { JoinInput, SubscriberFields } from "./subscriber-join.ts";
export { joinTags } from "./tags.ts";
export { defaultAllowedTargetPorts, parseTargetUrl, permitsAddress } from "./target-url.ts";
export type { AllowedPort, TargetPolicy, TargetVerdict } from "./target-url.ts";
export { beginningOf } from "./text.ts";
export { calendarMonth, isTimeZone, timeZoneSchema } from "./time-zone.ts";
export { parseTimestamp, timestampSchema, toTimestamp } from "./timestamps.ts";
export type { Transition } from "./transition.ts";
export { findProblems, parseInput, validationFailed } from "./validation.ts";
export type { Parsed, ParseOptions } from "./validation.ts";
export { moveWebhook, webhookInputs, webhookStates } from "./webhook-state.ts";
export type { WebhookInput, WebhookState } from "./webhook-state.ts";
