import { randomBytes, randomUUID } from "node:crypto";
import { createApi } from "@hookwright/api";
import type { Api } from "@hookwright/api";
import { developerSite } from "@hookwright/console";
import { createCursorCodec } from "@hookwright/cursor";
import {
  createScheduler,
  createSecretBox,
  createSignerSource,
  createSweeper,
  createTransport,
  runAttempt,
  systemClock,
} from "@hookwright/delivery";
import type { Clock, Scheduler, TargetPolicy } from "@hookwright/delivery";
import { createIdSource, createLogWriter, logLines, toMessageFirst } from "@hookwright/domain";
import type { Logger, OnError } from "@hookwright/domain";
import {
  createOwnerMails,
  createRateLimiter,
  createReadMessages,
  createRequestLog,
  createService,
} from "@hookwright/service";
import type { Mailer, RateLimiter } from "@hookwright/service";
import { partitions } from "@hookwright/storage";
import { createCalmLogger } from "./calm-logger.ts";
import { closeParts } from "./close-parts.ts";
import { connectionRoom, describeSmallRoom, openFilesLimit } from "./connection-room.ts";
import type { HostFunctions } from "./host-functions.ts";
import { createMetrics } from "./metrics/create-metrics.ts";
import type { Metrics } from "./metrics/create-metrics.ts";
import { keepOnRealTime } from "./keep-on-real-time.ts";
import { consoleLogger, isLogger } from "./logger.ts";
import { bindSecret } from "./options/bind-secret.ts";
import { expectNode } from "./options/expect-node.ts";
import type { HookwrightOptions } from "./options/options.ts";
import { readOptions } from "./options/read-options.ts";
import { isPromise } from "./options/store-problem.ts";
import { describeUnknownOptions } from "./options/unknown-options.ts";
import { isProcessAlive } from "./process-alive.ts";
import { processSpace } from "./process-space.ts";
import { readListInputs } from "./read-list-inputs.ts";
import { createWriteCheck } from "./readiness/write-check.ts";

/** The integration API and its deliveries, ready to be mounted and called. */
export interface Hookwright extends AsyncDisposable, HostFunctions {
  /** The h3 app, to mount in another. */
  readonly app: Api["app"];
  /** For servers that speak `Request` and `Response`. */
  readonly fetch: Api["fetch"];
  /** For Node's `http.createServer`, Express and others that take `(request, response)`. */
  readonly handler: Api["handler"];
  /** For the `clientError` of a Node server that serves nothing else: what is no HTTP gets the API's envelope too. */
  readonly answerClientError: Api["answerClientError"];
  /** The option of that name, as given: where the routes live. */
  readonly basePath: string;
  readonly scheduler: Pick<Scheduler, "running" | "stats">;
  /**
   * Lets attempts under way end and be recorded, and gives back the leases: at most 15 s in all, also where the store does
   * not answer. What was not recorded by then is sent again by the next process. The store stays open.
   */
  close(): Promise<void>;
}

/**
 * Composes the whole integration layer over one store: the API under `/v1`, the functions a host calls, and the scheduler
 * that delivers. Resolves once the scheduler runs.
 *
 * @throws ConfigurationError `invalid_option`, also for a secret that the data of the store was not written with
 * @throws StorageError where the store cannot be read
 * @example
 * const secret = "use 32 random characters or more";
 * const hookwright = await createHookwright({ store: memoryStore(), secret });
 * http.createServer(hookwright.handler).listen(3000);
 */
export async function createHookwright(options: HookwrightOptions): Promise<Hookwright> {
  expectNode();
  const logger = createCalmLogger({
    logger: toMessageFirst(isLogger(options?.logger) ? options.logger : consoleLogger),
    now: () => performance.now(),
  });
  const log = createLogWriter(logger, logLines);
  const onError: OnError = (error, { code, ...fields }) => log(code, { ...fields, error });
  // The promise is refused as an option. If it is rejected as well, the log says why.
  if (isPromise(options?.store)) options.store.then(undefined, (error) => log("store_not_opened", { error }));
  const checked = readOptions(options);
  const unknownOptions = describeUnknownOptions(options);
  if (unknownOptions !== undefined)
    log("unknown_option", { options: unknownOptions.names }, unknownOptions.message);
  const { secret } = options;
  const { now = Date.now } = checked;
  const delivers = checked.role !== "api";
  const store = checked.now === undefined ? options.store : keepOnRealTime(options.store, checked.now);
  await bindSecret({ store, secret });
  const targetPolicy: TargetPolicy = {
    privateTargets: options.privateTargets ?? false,
    trustedOrigins: options.trustedOrigins ?? [],
    allowedTargetPorts: options.allowedTargetPorts,
  };
  const secretBox = createSecretBox({ secret });
  const cursors = createCursorCodec({ secret });
  const openFiles = openFilesLimit();
  const room = connectionRoom(openFiles);
  const smallRoom = delivers ? describeSmallRoom(room, openFiles) : undefined;
  if (smallRoom !== undefined) log("open_files_limit_low", smallRoom);
  const transport = createTransport({ ...targetPolicy, maximumIdle: room.idle });
  const clock: Clock = checked.now === undefined ? systemClock : { ...systemClock, now: checked.now };
  const signers = createSignerSource({ secretBox });
  const writeCheck = createWriteCheck({ store, clock: systemClock, now, log });
  const metrics = createMetrics({ stats: () => scheduler.stats, isWritable: writeCheck.isWritable });
  const ownerMails = createOwnerMails({
    store,
    mailer: options.mailer ?? logMailer(logger),
    clock: systemClock,
    now,
    log,
  });
  const onAttempt: Metrics["onAttempt"] = (accountId, delivery, attempt) => {
    metrics.onAttempt(accountId, delivery, attempt);
    sweeper.noteAttempt(accountId, attempt);
  };
  const scheduler = createScheduler({
    store,
    partitions,
    worker: { id: randomUUID(), host: processSpace(), process: process.pid },
    isProcessAlive,
    transport,
    readMessages: createReadMessages({ store, orders: options.orders, onError }),
    signers,
    retryDelaysSeconds: checked.retryDelaysSeconds,
    attemptTimeoutMs: checked.attemptTimeoutMs,
    clock,
    wallClock: now,
    random: Math.random,
    maximumTurns: room.attempts,
    onNotice: ownerMails.notify,
    onFault: onError,
    onAttempt,
  });
  const service = createService({
    store,
    secret,
    cursors,
    secretBox,
    targetPolicy,
    now,
    newId: createIdSource({ now, randomBytes }),
    randomBytes,
    random: Math.random,
    signers,
    runAttempt: (input) =>
      runAttempt(input, { transport, timeoutMs: checked.attemptTimeoutMs, wallClock: now }),
    onTest: onAttempt,
    consoleTokenSeconds: checked.consoleTokenSeconds,
    contacts: options.contacts,
    orders: options.orders,
    blogPosts: options.blogPosts,
    onSubscribed: options.onSubscribed,
    scheduler,
    onError,
  });
  const requestLog = createRequestLog({
    store,
    cursors,
    now,
    onError,
    retentionMs: checked.retentionMs,
    maximumKept: checked.requestsKept,
  });
  const sweeper = createSweeper({
    store,
    clock,
    partitions: () => scheduler.heldPartitions(),
    retentionMs: checked.retentionMs,
    maximumKept: checked.deliveriesKept,
    maximumBytes: checked.deliveryLogBytes,
    further: [{ table: "request", sweep: requestLog.sweep }],
    onFault: onError,
  });
  const openRateLimiter = (name: string, requestsPerMinute: number): RateLimiter =>
    createRateLimiter({ store, now, name, requestsPerMinute, onError });
  const api = createApi({
    service,
    ...(options.hostToken === undefined ? {} : { hostToken: options.hostToken }),
    ...(options.corsOrigins === undefined ? {} : { corsOrigins: options.corsOrigins }),
    ...(options.bodyLimitBytes === undefined ? {} : { bodyLimitBytes: options.bodyLimitBytes }),
    bodyMemoryBytes: checked.bodyMemoryBytes,
    basePath: checked.basePath,
    trustProxy: checked.trustProxy,
    logger,
    now,
    routes: checked.role === "worker" ? "operations" : "all",
    pages: checked.developerSite ? developerSite() : [],
    rateLimiter: openRateLimiter("default", checked.rateLimitPerMinute),
    consoleRateLimiter: openRateLimiter("console", checked.consoleRateLimitPerMinute),
    sendRateLimiter: openRateLimiter("sends", checked.sendsPerMinute),
    requestLog,
    metrics: {
      // Else the metric would tell what the last probe of `/readyz` has found, which may be long ago.
      render: async () => {
        await writeCheck.check();
        return metrics.render();
      },
      public: options.metrics === "public",
    },
    onServed: metrics.onServed,
    onLogged: requestLog.add,
    readiness: async () => {
      const storage = await writeCheck.check();
      if (!storage.ready || !delivers || scheduler.running) return storage;
      return { ready: false, problem: "The scheduler is not running." };
    },
  });
  if (delivers) {
    await scheduler.start();
    sweeper.start();
  }

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= closeParts({
      scheduler,
      service,
      sweeper,
      requestLog,
      ownerMails,
      transport,
      clock: systemClock,
      log,
      onError,
    });
    return closing;
  }

  const { authenticate: _, testsEnded: __, ...useCases } = service;
  return {
    ...useCases,
    ...readListInputs(useCases),
    ...api,
    basePath: checked.basePath,
    scheduler,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function logMailer(logger: Logger): Mailer {
  return {
    send: async ({ to, subject, text }) => logger.info("mail", { to, subject, text }),
  };
}
