import { randomBytes, randomUUID } from "node:crypto";
import { openFilesLimit } from "@hookwright/api";
import { createTransport, createWorker, runAttempt, systemClock } from "@hookwright/delivery";
import type { Transport, WebhookNotice, Worker, WorkerOptions } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import type { TargetPolicy } from "@hookwright/domain";
import {
  createNoticeRunner,
  createReadMessages,
  createRequestLog,
  createSigning,
  createSweeper,
  isOperators,
  toHappened,
} from "@hookwright/service";
import type { NoticeRunner, RequestLog, ServiceOptions, Sweeper } from "@hookwright/service";
import { partitions } from "@hookwright/storage";
import { isProcessAlive, processNamespace } from "@hookwright/storage/process-identity";
import type { Tracer } from "@opentelemetry/api";
import { connectionLimits } from "../connection-limits.ts";
import { logAttempt } from "../log/log-activity.ts";
import { createAttemptTracing } from "../tracing/trace-attempts.ts";
import type { Storage } from "./open-storage.ts";
import type { Setup } from "./read-setup.ts";

/** What sends deliveries and keeps their log short. */
export interface DeliveryParts {
  readonly targetPolicy: TargetPolicy;
  readonly transport: Transport;
  readonly worker: Worker;
  readonly noticeRunner: NoticeRunner;
  readonly requestLog: RequestLog;
  readonly sweeper: Sweeper;
  readonly testSender: ServiceOptions["testSender"];
}

export function buildDelivery(setup: Setup, storage: Storage, tracer: Tracer): DeliveryParts {
  const { options, checked, metrics, log, now, clock, mailer, consoleUrl } = setup;
  const { store, serverKeys, onError } = storage;
  const limits = connectionLimits(openFilesLimit());
  const targetPolicy: TargetPolicy = {
    privateTargets: options.privateTargets ?? false,
    trustedOrigins: options.trustedOrigins ?? [],
    allowedTargets: checked.allowedTargets,
    allowedTargetPorts: options.allowedTargetPorts,
  };
  const { traceAttempt, inTraceOf } = createAttemptTracing(tracer);
  const onAttempt: NonNullable<WorkerOptions["onAttempt"]> = (accountId, delivery, attempt) => {
    metrics.onAttempt(accountId, delivery, attempt);
    sweeper.noteAttempt(accountId, attempt);
    if (options.attemptLog === true) inTraceOf(attempt, () => logAttempt(log, accountId, delivery, attempt));
  };
  const onNotice = (notice: WebhookNotice): void => {
    metrics.onNotice(notice);
    if (notice.type === "gone" && isOperators(notice)) log("notice_endpoint_removed");
    noticeRunner.wake(notice.accountId);
  };
  const newId = createIdSource({ now, randomBytes });
  const rows = { now, newId, auditRetentionMs: checked.auditRetentionMs };
  const transport = createTransport({ ...targetPolicy, ...checked.egress, maximumIdle: limits.idle });
  const signing = createSigning({ ...checked, serverKeys });
  const worker = createWorker({
    store,
    partitions,
    worker: { id: randomUUID(), host: processNamespace(), process: process.pid },
    isProcessAlive,
    transport,
    readMessages: createReadMessages({
      store,
      events: checked.events,
      orders: options.orders,
      keptBodies: checked.keepBodies,
      bodyForm: checked.bodyForm,
      onError,
    }),
    openSigner: signing.openSigner,
    openExtraHeaders: signing.openExtraHeaders,
    retryDelaysSeconds: checked.retryDelaysSeconds,
    switchOffAfter: checked.switchOffAfter,
    obeyRetryAfter: checked.obeyRetryAfter,
    attemptTimeoutMs: checked.attemptTimeoutMs,
    maximumBackoffMs: checked.maximumBackoffMs,
    clock,
    wallClock: now,
    random: Math.random,
    poolSize: limits.attempts,
    recordChange: (notice) => toHappened(rows, notice),
    drained: (partition) => noticeRunner.drained(partition),
    onNotice,
    onError,
    onAttempt,
    traceAttempt,
    observer: metrics.observer,
  });
  const noticeRunner = createNoticeRunner({
    store,
    clock: systemClock,
    now,
    newId,
    worker,
    mailer,
    serverKeys,
    onNotice: options.onNotice,
    bodyForm: checked.bodyForm,
    consoleUrl,
    log,
    onError,
  });
  const requestLog = createRequestLog({
    store,
    cursors: serverKeys.cursors,
    now,
    onError,
    retentionMs: checked.retentionMs,
    maximumKept: checked.requestsKept,
  });
  const sweeper = createSweeper({
    store,
    clock,
    partitions: worker.heldPartitions,
    retentionMs: checked.retentionMs,
    maximumKept: checked.deliveriesKept,
    maximumBytes: checked.deliveryLogBytes,
    keptBodies: checked.keepBodies,
    further: [{ table: "request", sweep: requestLog.sweep }],
    onError,
  });
  const testSender: DeliveryParts["testSender"] = {
    runAttempt: (input) =>
      runAttempt(input, {
        transport,
        timeoutMs: checked.attemptTimeoutMs,
        wallClock: now,
        traceAttempt,
        onUnsent: (error, { accountId, delivery }) =>
          onError(error, {
            account_id: accountId,
            webhook_id: delivery.webhook_id,
            delivery_id: delivery.id,
            code: error.code,
          }),
      }),
    onTest: onAttempt,
    onNotice,
  };
  return { targetPolicy, transport, worker, noticeRunner, requestLog, sweeper, testSender };
}
