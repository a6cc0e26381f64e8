import { randomUUID } from "node:crypto";
import { createApi, defaultConnections, openFilesLimit } from "@hookwright/api";
import { trace } from "@opentelemetry/api";
import type { Api, ApiOptions } from "@hookwright/api";
import {
  createTransport,
  createWorker,
  removedWebhookTable,
  runAttempt,
  sweepRemovedWebhooks,
  systemClock,
} from "@hookwright/delivery";
import type { Clock, WebhookNotice, Worker, WorkerOptions } from "@hookwright/delivery";
import { createLogWriter, logLines, toMessageFirst } from "@hookwright/domain";
import type { LogCode, Logger, NoOwnEvents, OnError, OwnEvents, TargetPolicy } from "@hookwright/domain";
import {
  createOwnerMails,
  createRateLimiter,
  createReadMessages,
  createJobRunner,
  createRequestLog,
  createService,
  createServerKeys,
  createSigning,
  createSweeper,
  findRemovedEvents,
  isKnownOwnEvent,
  readAccountRetention,
  sweepAuditLog,
  sweepMissedEvents,
} from "@hookwright/service";
import type { JobRunnerOptions, Mailer, RateLimiter } from "@hookwright/service";
import { partitions } from "@hookwright/storage";
import { isProcessAlive, processNamespace } from "@hookwright/storage/process-identity";
import type { Registry } from "@prometheus-io/client";
import packageJson from "../package.json" with { type: "json" };
import { toAuditFields } from "./audit-fields.ts";
import { createAccessLog } from "./access-log.ts";
import { createRateLimitedLogger } from "./rate-limited-logger.ts";
import { closeParts } from "./close-parts.ts";
import { connectionLimits } from "./connection-limits.ts";
import { createFailedAuthentications } from "./failed-authentications.ts";
import type { HostFunctions } from "./host-functions.ts";
import { openOutboxes } from "./outbox/open-outboxes.ts";
import { createPublishInTransaction } from "./outbox/create-publish-in-transaction.ts";
import { createRelays } from "./outbox/create-relays.ts";
import { createAttemptLog } from "./attempt-log.ts";
import { createMetrics } from "./metrics/create-metrics.ts";
import { extendExpiry } from "./extend-expiry.ts";
import { consoleLogger, isLogger } from "./logger.ts";
import { bindSecret } from "./options/bind-secret.ts";
import { expectNode } from "./options/expect-node.ts";
import type { HookwrightOptions } from "./options/options.ts";
import { readOptions } from "./options/read-options.ts";
import { listStartWarnings } from "./options/start-warnings.ts";
import { isPromise } from "./options/store-problem.ts";
import { describeUnknownOptions } from "./options/unknown-options.ts";
import { createCommitOutcomes } from "./readiness/commit-outcomes.ts";
import { createOutageWatch } from "./readiness/outage-watch.ts";
import { createWriteCheck } from "./readiness/write-check.ts";
import { toHostFunctions } from "./to-host-functions.ts";
import { addTraceIds } from "./tracing/add-trace-ids.ts";
import { outsideTraces } from "./tracing/outside-traces.ts";
import { currentTraceParent } from "./tracing/spans.ts";
import { createAttemptTracing } from "./tracing/trace-attempts.ts";
import { tracePublishing } from "./tracing/trace-publishing.ts";
import { createTraceRequest } from "./tracing/trace-requests.ts";

/** Errors that an outage of the storage causes. */
const outageCodes: ReadonlySet<LogCode> = new Set([
  "leases_not_renewed",
  "queues_not_read",
  "results_not_recorded",
] as const);

/** The integration API and its deliveries, ready to be mounted and called. */
export interface Hookwright<Own extends OwnEvents = NoOwnEvents> extends AsyncDisposable, HostFunctions<Own> {
  /** The h3 app, to mount in another h3 app. */
  readonly app: Api["app"];
  /** For servers that use `Request` and `Response`. */
  readonly fetch: Api["fetch"];
  /** For Node's `http.createServer`, Express and others that take `(request, response)`. */
  readonly handler: Api["handler"];
  /**
   * For the `clientError` event of a Node server that serves only this API. Malformed requests then get the error
   * envelope.
   */
  readonly answerClientError: Api["answerClientError"];
  /** Only the operations routes: `/healthz`, `/readyz` and `/metrics`, without the base path. For a second port. */
  readonly admin: Pick<Api, "fetch" | "handler" | "answerClientError">;
  /** The path below which the routes are served, as in the option. */
  readonly basePath: string;
  /** The metrics of `/metrics`, for programs that serve them together with their own: `Registry.merge([own, metrics])`. */
  readonly metrics: Registry;
  readonly scheduler: Pick<Worker, "running" | "stats">;
  /**
   * Waits for attempts in progress, records their results and releases the leases. It takes at most 15 s, even if the
   * store does not respond. The next process repeats attempts that were not recorded. The store stays open.
   */
  close(): Promise<void>;
}

/**
 * Creates the whole integration layer over one store: the API under `/v1`, the functions for the host, and the
 * scheduler that delivers. Resolves once the scheduler runs.
 *
 * @throws ConfigurationError `invalid_option`, also if the store's data was written with another secret
 * @throws StorageError if the store cannot be read
 * @example
 * const secret = "use 32 random characters or more";
 * const hookwright = await createHookwright({ store: memoryStore(), secret });
 * http.createServer(hookwright.handler).listen(3000);
 */
export async function createHookwright<const Own extends OwnEvents = NoOwnEvents>(
  options: HookwrightOptions<Own>,
): Promise<Hookwright<Own>> {
  expectNode();
  const metrics = createMetrics();
  const logger = metrics.countLogLines(
    createRateLimitedLogger({
      logger: addTraceIds(toMessageFirst(isLogger(options?.logger) ? options.logger : consoleLogger)),
      now: () => performance.now(),
    }),
  );
  const log = createLogWriter(logger, logLines);
  const onError: OnError = (error, { code, ...fields }) => {
    log(code, { ...fields, error });
    if (outageCodes.has(code)) outageWatch.note();
  };
  // A promise is not a valid store. If it rejects, the log has the reason.
  if (isPromise(options?.store)) options.store.then(undefined, (error) => log("store_not_opened", { error }));
  const checked = readOptions(options);
  const unknownOptions = describeUnknownOptions(options);
  if (unknownOptions !== undefined)
    log("unknown_option", { options: unknownOptions.names }, unknownOptions.message);
  const startWarnings = listStartWarnings({
    role: checked.role,
    hostTokens: checked.hostTokens,
    hasProxy: checked.egress.proxy !== undefined,
    privateTargets: options.privateTargets === true,
    metricsToken: options.metricsToken,
  });
  for (const { code, fields } of startWarnings) log(code, fields);
  const { secret, previousSecrets = [] } = options;
  const { standardWebhooks } = checked;
  const { now = Date.now } = checked;
  const delivers = checked.role !== "api";
  const outcomes = createCommitOutcomes(systemClock);
  const store = metrics.observeStore(
    checked.now === undefined ? options.store : extendExpiry(options.store, checked.now),
    outcomes.note,
  );
  await bindSecret({ store, secret, previousSecrets });
  const serverKeys = createServerKeys({ store, secret, previousSecrets });
  await serverKeys.refresh();
  // A worker may be started without definitions: it delivers events that it does not know.
  if (checked.role !== "worker")
    for (const { event, webhooks, isCountedFully } of await findRemovedEvents(store, checked.events))
      log("event_removed", { event, webhooks, counted: isCountedFully ? "all" : "some" });
  const outboxes = await openOutboxes({ ofStore: store.outbox, given: options.outbox });
  const targetPolicy: TargetPolicy = {
    privateTargets: options.privateTargets ?? false,
    trustedOrigins: options.trustedOrigins ?? [],
    allowedTargets: checked.allowedTargets,
    allowedTargetPorts: options.allowedTargetPorts,
  };
  const lowLimits = startWarnings
    .filter(({ code }) => code === "open_files_limit_low")
    .map((each) => each.message);
  const { readinessWarnings = () => [] } = options;
  const openFiles = openFilesLimit();
  const limits = connectionLimits(openFiles);
  const clock: Clock = checked.now === undefined ? systemClock : { ...systemClock, now: checked.now };

  const ownerMails = createOwnerMails({
    store,
    mailer: options.mailer ?? logMailer(logger),
    consoleUrl:
      checked.pages.length > 0 && checked.publicUrl !== undefined
        ? `${checked.publicUrl}/console`
        : undefined,
    clock: systemClock,
    now,
    log,
  });
  const writeCheck = createWriteCheck({ store, outcomes, clock: systemClock, now, log });
  const outageWatch = createOutageWatch({ check: writeCheck.check, clock: systemClock });
  const relays = createRelays({
    outboxes,
    publish: (input, row) => publishing.publishFromOutbox(input, row),
    isKnownElsewhere: (event) => isKnownOwnEvent(store, event),
    clock: systemClock,
    log,
  });
  // Without an OpenTelemetry SDK it does nothing.
  const tracer = trace.getTracer("hookwright");
  const { traceAttempt, inTraceOf } = createAttemptTracing(tracer);
  const logAttempt = options.attemptLog === true ? createAttemptLog(log) : undefined;
  const onAttempt: WorkerOptions["onAttempt"] = (accountId, delivery, attempt) => {
    metrics.onAttempt(accountId, delivery, attempt);
    sweeper.noteAttempt(accountId, attempt);
    if (logAttempt !== undefined) inTraceOf(attempt, () => logAttempt(accountId, delivery, attempt));
  };
  const onNotice = (notice: WebhookNotice): void => {
    metrics.onNotice(notice);
    ownerMails.notify(notice);
  };
  const transport = createTransport({ ...targetPolicy, ...checked.egress, maximumIdle: limits.idle });
  const signing = createSigning({ serverKeys, standardWebhooks });
  const worker = createWorker({
    store,
    partitions,
    worker: { id: randomUUID(), host: processNamespace(), process: process.pid },
    isProcessAlive,
    transport,
    readMessages: createReadMessages({ store, events: checked.events, orders: options.orders, onError }),
    openSigner: signing.openSigner,
    openExtraHeaders: signing.openExtraHeaders,
    retryDelaysSeconds: checked.retryDelaysSeconds,
    obeyRetryAfter: checked.obeyRetryAfter,
    attemptTimeoutMs: checked.attemptTimeoutMs,
    maximumBackoffMs: checked.maximumBackoffMs,
    clock,
    wallClock: now,
    random: Math.random,
    poolSize: limits.attempts,
    onNotice,
    onError,
    onAttempt,
    traceAttempt,
    observer: metrics.observer,
  });
  const onFailedAuthentication = createFailedAuthentications({
    log,
    now: () => performance.now(),
    onCounted: metrics.onFailedAuthentication,
  });
  const onAudited: JobRunnerOptions["onAudited"] = (row) => {
    // The program knows its own calls, which may be many.
    if (row.actor.kind !== "program") log("change_audited", toAuditFields(row));
  };
  const untracedService = createService({
    store,
    serverKeys,
    events: checked.events,
    standardWebhooks,
    repositories: { contacts: options.contacts, orders: options.orders, blogPosts: options.blogPosts },
    worker: {
      delivers: worker.delivers,
      offer: outsideTraces(worker.offer),
      rescan: outsideTraces(worker.rescan),
      webhookChanged: outsideTraces(worker.webhookChanged),
    },
    outboxes: outboxes.all.map(({ outbox }) => outbox),
    traceParent: currentTraceParent,
    testSender: {
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
    },
    targetPolicy,
    consoleTokenSeconds: checked.consoleTokenSeconds,
    auditRetentionMs: checked.auditRetentionMs,
    onAudited,
    onFailedAuthentication,
    onSubscribed: options.onSubscribed,
    maximumConnections: options.maxConnections ?? defaultConnections(openFiles),
    now,
    onError,
  });
  const publishing = tracePublishing(untracedService, tracer);
  const service = { ...untracedService, publish: publishing.publish, publishMany: publishing.publishMany };
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
    further: [
      { table: "request", sweep: requestLog.sweep },
      { table: "audit", sweep: (accountId, pause) => sweepAuditLog({ store, accountId, pause }) },
      {
        table: "missed-event",
        sweep: async (accountId, pause) => {
          const { retentionMs = checked.retentionMs } = await readAccountRetention(store, accountId);
          const publishedBefore = clock.now() - retentionMs;
          return sweepMissedEvents({ store, accountId, publishedBefore, pause });
        },
      },
      {
        table: removedWebhookTable,
        sweep: (accountId, pause) => sweepRemovedWebhooks({ store, accountId, pause }),
      },
    ],
    onError,
  });
  const jobRunner = createJobRunner({
    store,
    events: checked.events,
    clock,
    worker,
    auditRetentionMs: checked.auditRetentionMs,
    onAudited,
    onError,
  });
  const openRateLimiter = (name: string, requestsPerMinute: number): RateLimiter =>
    metrics.countRefusals(createRateLimiter({ store, now, name, requestsPerMinute, onError }), name);
  const logAccess = options.accessLog === true ? createAccessLog(log) : undefined;
  const operations: ApiOptions = {
    service,
    logger,
    now,
    hostToken: checked.hostTokens,
    onFailedAuthentication,
    metrics: {
      render: () => metrics.registry.metrics(),
      token: options.metricsToken,
      public: options.metrics === "public",
    },
    onServed: (request) => {
      metrics.onServed(request);
      if (request.status === 503) outageWatch.note();
      logAccess?.(request);
    },
    readiness: async () => {
      const storage = await writeCheck.check();
      if (!storage.ready) return storage;
      if (delivers && !worker.running) return { ready: false, problem: "The scheduler is not running." };
      // Requests are served well, so they must not go elsewhere.
      return { ready: true, warnings: [...lowLimits, ...relays.problems(), ...readinessWarnings()] };
    },
  };
  const admin = createApi({ ...operations, routes: "operations" });
  const api = createApi({
    ...operations,
    ...(options.adminListener === true ? { metrics: undefined } : {}),
    events: checked.events,
    basePath: checked.basePath,
    publicUrl: checked.publicUrl,
    routes: checked.role === "worker" ? "operations" : "all",
    pages: checked.pages,
    corsOrigins: options.corsOrigins,
    trustProxy: checked.trustProxy,
    bodyLimitBytes: options.bodyLimitBytes,
    bodyMemoryBytes: checked.bodyMemoryBytes,
    rateLimiters: {
      requests: openRateLimiter("default", checked.rateLimitPerMinute),
      console: openRateLimiter("console", checked.consoleRateLimitPerMinute),
      sends: openRateLimiter("sends", checked.sendsPerMinute),
    },
    requestLog,
    onLogged: requestLog.add,
    traceRequest: createTraceRequest(tracer),
  });
  metrics.start({
    store,
    clock: systemClock,
    now,
    worker: () => worker,
    check: writeCheck.check,
    isWritable: writeCheck.isWritable,
    outbox: relays,
    build: {
      version: packageJson.version,
      commit: options.buildCommit ?? "",
      node: process.versions.node,
      storage: store.name ?? "custom",
      role: checked.role,
    },
  });
  relays.watch();
  if (delivers) {
    try {
      await worker.start();
    } catch (error) {
      metrics.close();
      await relays.close();
      throw error;
    }
    sweeper.start();
    relays.start();
    jobRunner.start();
  }

  const stopFollowing = serverKeys.follow(systemClock);
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    stopFollowing();
    metrics.close();
    closing ??= closeParts({
      worker,
      service,
      outageWatch,
      relays,
      sweeper,
      jobRunner,
      requestLog,
      ownerMails,
      transport,
      clock: systemClock,
      log,
      onError,
    });
    return closing;
  }

  return {
    ...toHostFunctions<Own>(service, {
      publishInTransaction: createPublishInTransaction({ store, outboxes, checkEvent: service.checkEvent }),
      basePath: checked.publicUrl ?? checked.basePath,
    }),
    app: api.app,
    fetch: api.fetch,
    handler: api.handler,
    answerClientError: api.answerClientError,
    admin: { fetch: admin.fetch, handler: admin.handler, answerClientError: admin.answerClientError },
    basePath: checked.basePath,
    metrics: metrics.registry,
    scheduler: worker,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function logMailer(logger: Logger): Mailer {
  return {
    send: async ({ to, subject, text }) => logger.info("mail", { to, subject, text }),
  };
}
