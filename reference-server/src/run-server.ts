import { createHookwright } from "hookwright";
import type { Hookwright, Logger } from "hookwright";
import { StorageError } from "@hookwright/storage";
import { prepareDemo } from "./demo/prepare-demo.ts";
import { applyHeapSettings, letHeapGrowWhenBusy } from "./heap-settings.ts";
import { listen } from "./listen.ts";
import type { Listening } from "./listen.ts";
import { createLogger } from "./logger.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { openStore } from "./open-store.ts";
import type { Settings } from "./options/read-settings.ts";
import type { Program, StopSignal } from "./program.ts";
import { ServerError } from "./server-error.ts";
import { createServerLog } from "./server-log-lines.ts";
import type { WriteServerLogLine } from "./server-log-lines.ts";
import { readServerSecret } from "./server-secret.ts";
import { endsInTime, onShutdown } from "./shutdown.ts";
import { listStartWarnings } from "./start-warnings.ts";
import { describeStorage } from "./storage-location.ts";

export interface RunServerOptions {
  readonly settings: Settings;
  readonly program: Program;
}

/** So long may requests take to end once the server was told to stop; Hookwright takes no longer for its attempts. */
const drainMs = 14_000;
/** After so long it has ended (contract §8). */
const mostStopMs = 15_000;

/**
 * Serves until a signal comes, and resolves when everything is closed, at the latest 15 s after the signal: a storage that
 * does not answer holds up neither a start that is called off nor the end. What is left then is found by the next process.
 *
 * @throws {ServerError} when it cannot start; what had been opened by then is closed
 */
export async function runServer({ settings, program }: RunServerOptions): Promise<void> {
  const stopped = onShutdown({ program, now: () => performance.now() });
  const colours = program.isTerminal && (program.environment["NO_COLOR"] ?? "") === "";
  const logger = createLogger({
    form: settings.log,
    colours,
    write: program.print,
    now: Date.now,
    secrets: [settings.secret, settings.hostToken, settings.smtpUrl].filter((each) => each !== undefined),
  });
  const log = createServerLog(logger);
  let isStopping = false;
  void stopped.then(() => (isStopping = true));
  const work = serve({ settings, program, colours, logger, log, stopped }).catch((error: unknown) => {
    // Whoever called the start off does not want to know that it would have failed.
    if (!isStopping) throw error;
    log("start_cancelled", { error });
  });
  if (!(await endsInTime({ work, stopped, withinMs: mostStopMs }))) {
    log("stopped_early");
  }
  log("stopped");
}

interface ServeOptions extends RunServerOptions {
  readonly colours: boolean;
  readonly logger: Logger;
  readonly log: WriteServerLogLine;
  readonly stopped: Promise<StopSignal>;
}

async function serve({ settings, program, colours, logger, log, stopped }: ServeOptions): Promise<void> {
  for (const { code, message } of listStartWarnings(settings, program.environment)) log(code, {}, message);
  applyHeapSettings(settings.storage.type);
  const opened: (() => Promise<void>)[] = [];
  let stopLooking: (() => void) | undefined;
  try {
    const store = await openStore(settings.storage, {
      tlsFiles: settings,
      onWarning: (warning) => log("storage_may_forget", {}, warning),
    });
    opened.unshift(() => store.close());
    const secret = await readServerSecret({
      storage: settings.storage,
      store,
      given: settings.secret,
      logger,
    });
    const demo = settings.demo ? await prepareDemo({ settings, program, store, colours, log }) : undefined;
    if (demo !== undefined) opened.unshift(() => demo.close());
    const hostToken = demo?.hostToken ?? settings.hostToken;
    const hookwright = await createHookwright({
      store,
      secret,
      ...(hostToken === undefined ? {} : { hostToken }),
      role: settings.role,
      privateTargets: settings.privateTargets,
      allowedTargetPorts: settings.allowedTargetPorts,
      trustedOrigins: demo === undefined ? [] : [demo.receiverOrigin],
      retryDelaysSeconds: settings.retryDelaysSeconds,
      attemptTimeoutSeconds: settings.attemptTimeoutSeconds,
      rateLimitPerMinute: settings.rateLimitPerMinute,
      consoleRateLimitPerMinute: settings.consoleRateLimitPerMinute,
      sendsPerMinute: settings.sendsPerMinute,
      consoleTokenSeconds: settings.consoleTokenSeconds,
      trustProxy: settings.trustProxy,
      retentionDays: settings.retentionDays,
      deliveryLogMiB: settings.deliveryLogMiB,
      metrics: settings.metrics,
      mailer: await createMailer({ ...settings, logger }),
      logger,
    });
    opened.unshift(() => hookwright.close());
    const { port, host, maxConnections, headersTimeoutSeconds, requestTimeoutSeconds } = settings;
    const limits = { maxConnections, headersTimeoutSeconds, requestTimeoutSeconds };
    const listening = await listen(hookwright, { port, host, limits });
    opened.unshift(() => listening.close(0));
    stopLooking = letHeapGrowWhenBusy();
    log("listening", {
      url: listening.url,
      host: settings.host,
      storage: describeStorage(settings.storage),
      role: settings.role,
    });
    await Promise.race([demo?.show({ hookwright, url: listening.url }), stopped]);
    const signal = await stopped;
    log("stopping", { signal });
    await drain({ listening, hookwright, log });
    opened.splice(0, 2);
  } catch (cause) {
    // The storage was opened, and failed before the server was up.
    if (!(cause instanceof StorageError)) throw cause;
    const storage = describeStorage(settings.storage);
    throw new ServerError("storage_unavailable", `cannot start on ${storage}. ${cause.message}`, { cause });
  } finally {
    stopLooking?.();
    // In the reverse order of opening; one that fails to close must not keep the others open.
    for (const close of opened) await close().catch((error: unknown) => log("close_failed", { error }));
  }
}

interface DrainOptions {
  readonly listening: Listening;
  readonly hookwright: Pick<Hookwright, "close">;
  readonly log: WriteServerLogLine;
}

/** Requests and attempts end side by side, within one deadline. */
async function drain({ listening, hookwright, log }: DrainOptions): Promise<void> {
  const ended = await Promise.allSettled([listening.close(drainMs), hookwright.close()]);
  for (const each of ended) if (each.status === "rejected") log("close_failed", { error: each.reason });
}
