export { readRequestHeaders, runAttempt, signHeaders } from "./sending/attempt.ts";
export type { AttemptInput, ExtraHeaders, TraceAttempt, Sign, SignStandard } from "./sending/attempt.ts";
export { maskSecrets, toSecretParts } from "./log/mask-secrets.ts";
export { DeliveryError } from "./delivery-error.ts";
export type { DeliveryErrorCode } from "./delivery-error.ts";
export { findDeliveries, findLoggedDeliveries, listDeliveries } from "./log/delivery-log.ts";
export type { LoggedWebhook, LogPage, LogQuery, OnUnreadable } from "./log/delivery-log.ts";
export { countDeliveries, countsEvents } from "./log/count-deliveries.ts";
export type { CountQuery, StatusCounts } from "./log/count-deliveries.ts";
export { matchesFilters, needsAttempts } from "./log/log-filters.ts";
export type { LogFilters } from "./log/log-filters.ts";
export type { Message, OpenExtraHeaders, OpenSigner, ReadMessages } from "./sending/load-attempts.ts";
export { listAccountsWithLog, listOldestLogged, measureLog, removeFromLog } from "./log/log-retention.ts";
export type { LoggedDelivery, LogSize } from "./log/log-retention.ts";
export { eraseAttempt, listLoggedRows, replaceLoggedRow } from "./log/erase-deliveries.ts";
export type { LoggedRow } from "./log/erase-deliveries.ts";
export { hasAccepted, listEnded, listLoggedEvents } from "./log/ended-deliveries.ts";
export type { EndedPage, EndedPosition, EndedQuery } from "./log/ended-deliveries.ts";
export { createDelivery, toFirstChecks, toNotification, toQueueMutations } from "./enqueue.ts";
/** @deprecated use {@link toQueueMutations} */
export { toQueueMutations as toOutboxMutations } from "./enqueue.ts";
export {
  enableRemoved,
  findRemovedWebhook,
  listRemovedWebhooks,
  removedWebhookLifetimeMs,
  removeWebhooks,
  sweepRemovedWebhooks,
} from "./webhooks/removed-webhooks.ts";
export type { RemovalOptions, SweepRemovedOptions, WebhookRemoval } from "./webhooks/removed-webhooks.ts";
export type { WorkerIdentity } from "./partition-leases.ts";
export { issueLifetimeMs } from "./issues/issue.ts";
export type { IssueFilter, IssueRow } from "./issues/issue.ts";
export { listIssues } from "./issues/list-issues.ts";
export { checkLedger } from "./ledger/check-ledger.ts";
export type { LedgerDamage } from "./ledger/check-ledger.ts";
export { toLedgerMutations, toMissedEntry, toQueuedEntry } from "./ledger/count.ts";
export type { LedgerEntry } from "./ledger/count.ts";
export { sumPoints, toLedgerNumbers, toLedgerOutcomes } from "./ledger/counts.ts";
export type { LedgerCounts } from "./ledger/counts.ts";
export { percentiles } from "./ledger/histogram.ts";
export type { Histogram, Percentiles } from "./ledger/histogram.ts";
export { readLedger } from "./ledger/read-ledger.ts";
export type { LedgerPeriod, LedgerPoint, LedgerQuery } from "./ledger/read-ledger.ts";
export { readLedgerTotals } from "./ledger/totals.ts";
export { ledgerLifetimeMs } from "./ledger/steps.ts";
export {
  isGone,
  outcomeOf,
  publishedAtOf,
  toLoggedAttempt,
  versionOf,
  withoutBody,
} from "./storage/delivery-row.ts";
export { estimateAttemptBytes } from "./storage/log-value.ts";
export { eventsOf, rateOf, receives } from "./storage/webhook-row.ts";
export type {
  AttemptRow,
  CancelReason,
  BodySource,
  DeliveryKind,
  DeliveryRow,
  DeliveryStatus,
  GoneBody,
} from "./storage/delivery-row.ts";
export type {
  RemovedWebhookRow,
  SealedHeaders,
  SigningSecretsRow,
  WebhookHealthRow,
  WebhookRow,
} from "./storage/webhook-row.ts";
export {
  failedDeliveriesTable,
  isAccount,
  issuesTable,
  queueTables,
  removedWebhookTable,
  seriesTables,
  workerTables,
} from "./storage/keys.ts";
export type { EndpointAddress } from "./storage/keys.ts";
export { endsWithin, systemClock } from "./clock.ts";
export type { Clock } from "./clock.ts";
export { deliveryStoreRules } from "./store-rules.ts";
export type { Expectation, StoreRule } from "./store-rules.ts";
export { endDelivery } from "./sending/transitions.ts";
export {
  countPartitions,
  countQueues,
  findMostWaiting,
  hasPending,
  listWaiting,
  readWaiting,
} from "./waiting-deliveries.ts";
export type {
  MostWaiting,
  PartitionCounts,
  QueueCount,
  Waiting,
  WaitingDelivery,
} from "./waiting-deliveries.ts";
export { listFailedDeliveries, parseFailedDeliveries } from "./webhooks/failed-deliveries.ts";
export type { FailedDeliveries, FailedDeliveriesRow } from "./webhooks/failed-deliveries.ts";
export { toGoneNotice } from "./webhooks/webhook-notice.ts";
export type { WebhookNotice } from "./webhooks/webhook-notice.ts";
export type { Answer, FailureClass, HeaderList } from "./transport/answer.ts";
export { toHeaderRecord } from "./transport/answer.ts";
export type { Resolve } from "./transport/dns-lookup.ts";
export { createTransport } from "./transport/transport.ts";
export type { OutgoingRequest, Transport, TransportOptions } from "./transport/transport.ts";
export {
  addWebhook,
  countWebhooksOf,
  findAccountOfWebhook,
  findWebhook,
  listWebhooks,
  readAllWebhooks,
  readSigningSecrets,
  readWebhookGuard,
  readWebhookHealth,
  readWebhooksOfSeveral,
  replaceRow,
  replaceTarget,
  resetFailures,
  sampleSigningSecrets,
  severalEventsKey,
  signingSecretsIn,
  toChangeNotification,
} from "./webhooks/webhook-store.ts";
export type { CommitPart, Stored, WebhookGuard, WebhookOfAccount } from "./webhooks/webhook-store.ts";
export type { DueMs } from "./sending/due-ages.ts";
export type { LeaseChange, WorkerObserver } from "./worker-observer.ts";
export { createWorker } from "./worker.ts";
export type { Closed, Worker, WorkerOptions, WorkerStats } from "./worker.ts";
