export { runAttempt } from "./attempt.ts";
export type { AttemptInput } from "./attempt.ts";
export { DeliveryError } from "./delivery-error.ts";
export type { DeliveryErrorCode } from "./delivery-error.ts";
export { createSweeper } from "./retention/sweeper.ts";
export type { AccountSweep, Sweeper, SweeperOptions } from "./retention/sweeper.ts";
export { createDelivery, toOutboxMutations, toWakeKeys } from "./outbox.ts";
export { keys } from "./rows/keys.ts";
export type { LaneAddress, RecordVersion } from "./rows/keys.ts";
export { parseDeliveryRow } from "./rows/delivery-row.ts";
export type {
  AttemptRow,
  BodySource,
  DeliveryKind,
  DeliveryRow,
  DeliveryStatus,
} from "./rows/delivery-row.ts";
export { readRequestHeaders, requestForm } from "./rows/request-headers.ts";
export { createTextCache } from "./rows/text-cache.ts";
export { nextGuard, toWebhookRemoval } from "./rows/webhook-removal.ts";
export { parseWebhookHealth, parseWebhookRow } from "./rows/webhook-row.ts";
export type { WebhookHealthRow, WebhookRow } from "./rows/webhook-row.ts";
export type { WorkerIdentity } from "./scheduler/leases/worker-identity.ts";
export { settle } from "./scheduler/recording/settle.ts";
export type { WebhookNotice } from "./scheduler/recording/webhook-in-batch.ts";
export { createScheduler } from "./scheduler/scheduler.ts";
export type { Closed, Scheduler, SchedulerOptions, SchedulerStats } from "./scheduler/scheduler.ts";
export type { CancelReason } from "./scheduler/turns/finished.ts";
export type { Message, ReadMessages } from "./scheduler/turns/prepare-turns.ts";
export { createSecretBox } from "./secret-box.ts";
export type { SecretBox } from "./secret-box.ts";
export { createSignerSource } from "./signer-source.ts";
export type { SignerSource, SigningSecretRow } from "./signer-source.ts";
export { systemClock } from "./time/clock.ts";
export type { Clock } from "./time/clock.ts";
export { endsWithin } from "./time/ends-within.ts";
export type { Answer, FailureClass } from "./transport/answer.ts";
export { toHeaderRecord } from "./transport/header-list.ts";
export type { HeaderList } from "./transport/header-list.ts";
export type { Resolve } from "./transport/guarded-lookup.ts";
export { isPublicAddress } from "./transport/public-address.ts";
export { parseTargetUrl } from "./transport/target-url.ts";
export type { TargetPolicy, TargetVerdict } from "./transport/target-url.ts";
export { createTransport } from "./transport/transport.ts";
export type { OutgoingRequest, Transport, TransportOptions } from "./transport/transport.ts";
