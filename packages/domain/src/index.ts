export * from "./allowed-targets.ts";
export * from "./failure-breaker.ts";
export * from "./switch-off.ts";
export { toFailureLine } from "./failure-line.ts";
export * from "./contact-merge.ts";
export * from "./delivery-state.ts";
export * from "./email-address.ts";
export * from "./configuration-error.ts";
export * from "./errors.ts";
export * from "./exact-json.ts";
export * from "./find-nearest.ts";
export * from "./hide-secrets.ts";
export * from "./host-tokens.ts";
export * from "./rights.ts";
export * from "./events/customer-of.ts";
export type { Booking, BookingInput } from "./events/booking.ts";
export type { Enquiry, EnquiryInput } from "./events/enquiry.ts";
export {
  eventCatalogue,
  sampleDeliveryBody,
  type DeliveryBody,
  type DeliveryProject,
  type EventData,
  type EventDefinition,
  type EventInput,
  type OtherDeliveryBody,
} from "./events/event-catalogue.ts";
export * from "./events/event-names.ts";
export { describeFields, type EventField } from "./events/describe-fields.ts";
export type { DeclaredEvent } from "./events/declared-event.ts";
export * from "./events/event-registry.ts";
export * from "./events/own-event-types.ts";
export type { OwnEvent, OwnEventProblem, OwnEvents } from "./events/own-events.ts";
export * from "./events/own-record.ts";
export { isOfKind, type KindData } from "./events/record-kinds.ts";
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
export * from "./events/unknown-event.ts";
export { orderSchema, type Order, type OrderInput } from "./events/order.ts";
export * from "./events/read-event.ts";
export {
  expectRecord,
  keepCreatedAt,
  readRecord,
  toDeliveredData,
  type ReadRecord,
  type ReadRecordOptions,
  type RecordData,
  type RecordReading,
} from "./events/read-record.ts";
export type { Rental, RentalInput } from "./events/rental.ts";
export type { Review, ReviewInput } from "./events/review.ts";
export type { SubscriberRecord, SubscriberRecordInput } from "./events/subscriber.ts";
export * from "./is-production.ts";
export {
  createIdSource,
  hostIdSchema,
  idsSince,
  idTime,
  isHostId,
  isRecordId,
  type IdPrefix,
  type IdSourceOptions,
} from "./ids.ts";
export * from "./input-body.ts";
export * from "./log/log-writer.ts";
export * from "./log/error-fields.ts";
export * from "./log/lines-of.ts";
export * from "./log/log-lines.ts";
export * from "./log/logger.ts";
export * from "./log/pino-logger.ts";
export * from "./kept/kept-blog-post.ts";
export * from "./kept/kept-contact.ts";
export * from "./kept-bodies.ts";
export * from "./kept/kept-order.ts";
export * from "./ledger-outcomes.ts";
export * from "./ledger-range.ts";
export * from "./outbox-data.ts";
export * from "./package-source.ts";
export { expectIntegrations, fitsLimit, mergePlan } from "./plan.ts";
export { isPublicAddress } from "./public-address.ts";
export * from "./proxy-url.ts";
export * from "./public-url.ts";
export * from "./resources/account.ts";
export {
  defaultAccountDelivery,
  defaultDeliveryRules,
  toDeliveryRules,
  type AccountDelivery,
  type DeliveryRules,
} from "./resources/account-delivery.ts";
export {
  defaultAccountLimits,
  defaultAccountRetention,
  maximumApiKeys,
  maximumWebhooks,
  type AccountLimits,
  type AccountRetention,
} from "./resources/account-limits.ts";
export * from "./resources/audit-actions.ts";
export * from "./resources/audit.ts";
export * from "./resources/api-key.ts";
export * from "./resources/blog-post.ts";
export * from "./resources/contact.ts";
export * from "./resources/host-view.ts";
export * from "./resources/search.ts";
export * from "./resources/deleted.ts";
export * from "./resources/delivery.ts";
export * from "./resources/email-list.ts";
export * from "./resources/erasure.ts";
export * from "./resources/event-type.ts";
export * from "./resources/host-event-type.ts";
export * from "./events/event-type.ts";
export * from "./resources/issue.ts";
export * from "./resources/notice.ts";
export * from "./resources/listener.ts";
export { ledgerSchema } from "./resources/ledger.ts";
export type { Ledger, LedgerNumbers, LedgerOutcomes } from "./resources/ledger.ts";
export * from "./resources/overview.ts";
export * from "./resources/person.ts";
export * from "./resources/project.ts";
export * from "./resources/publish.ts";
export * from "./resources/recovery.ts";
export * from "./resources/rejected-event.ts";
export * from "./resources/rate-limit.ts";
export * from "./resources/request-counts.ts";
export * from "./resources/request-log-entry.ts";
export * from "./resources/resend.ts";
export * from "./resources/session.ts";
export * from "./resources/share.ts";
export * from "./resources/snooze.ts";
export * from "./resources/subscriber.ts";
export * from "./resources/webhook-action.ts";
export * from "./resources/webhook.ts";
export {
  hiddenHeaderValue,
  isReservedHeader,
  readCustomHeaders,
  type CustomHeader,
  type CustomHeaders,
} from "./custom-headers.ts";
export {
  defaultHeaderPrefix,
  findHeaderPrefix,
  isHeaderPrefix,
  nameSignedHeaders,
} from "./signed-headers.ts";
export type { SignedHeaderNames } from "./signed-headers.ts";
export { bodyForms, type BodyForm } from "./body-form.ts";
export { listBodyVariants, parseBody } from "./received/body-variants.ts";
export type { BodyVariant } from "./received/body-variants.ts";
export { compareReceived } from "./received/compare-received.ts";
export type { BodyDifference, Comparison, SentRequest } from "./received/compare-received.ts";
export { explainHeaders, explainLength } from "./received/explain-headers.ts";
export type { Problem } from "./received/explain-headers.ts";
export { parseHeaderLines, parsePrintedRequest } from "./received/header-lines.ts";
export type { HeaderLines, ParsedHeaders, PrintedRequest } from "./received/header-lines.ts";
export * from "./received/received-input.ts";
export { quote, toCurl, toFetch } from "./received/to-curl.ts";
export * from "./explain-attempt.ts";
export * from "./record-snapshot.ts";
export * from "./retry-after.ts";
export * from "./settings/setting.ts";
export * from "./settings/settings.ts";
export * from "./retry-schedule.ts";
export * from "./rotation-state.ts";
export * from "./sent-empty.ts";
export * from "./subscriber-join.ts";
export { joinTags } from "./tags.ts";
export * from "./target-url.ts";
export { beginningOf } from "./beginning-of.ts";
export { attemptErrors } from "./attempt-errors.ts";
export type { AttemptError } from "./attempt-errors.ts";
export { calendarMonth, isTimeZone, timeZoneSchema } from "./time-zone.ts";
export { parseTimestamp, timestampSchema, toPreciseTimestamp, toTimestamp } from "./timestamps.ts";
export type { Transition } from "./transition.ts";
export * from "./validation.ts";
export * from "./webhook-state.ts";
