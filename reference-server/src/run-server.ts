import { randomBytes } from "node:crypto";
import { createIdSource } from "@hookwright/domain";
import { createHookwright, describeFinding } from "hookwright";
import type { Hookwright, Logger } from "hookwright";
import type { Store } from "@hookwright/storage";
import { openAdminListener } from "./admin-listener.ts";
import { checkServer } from "./checks/check-server.ts";
import { checkEmptyStorage } from "./checks/empty-storage-check.ts";
import { listSettingWarnings } from "./checks/settings-check.ts";
import { watchChecks } from "./checks/watch-checks.ts";
import type { CheckWatch } from "./checks/watch-checks.ts";
import { applyHeapSettings, letHeapGrowWhenBusy } from "./heap-settings.ts";
import { listen } from "./listen.ts";
import type { Listening } from "./listen.ts";
import { createLogger } from "./logger.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { readEgress } from "./egress-files.ts";
import { toLibraryOptions } from "./library-options.ts";
import { openStore } from "./open-store.ts";
import { describeSettings } from "./options/describe-settings.ts";
import type { Settings } from "./options/read-settings.ts";
import type { Program, StopSignal } from "@hookwright/cli";
import { createServerLog } from "./server-log-lines.ts";
import type { WriteServerLogLine } from "./server-log-lines.ts";
import { readServerSecrets } from "./server-secret.ts";
import { connectServiceManager } from "./service-manager.ts";
import type { ServiceManager } from "./service-manager.ts";
import { endsInTime, onShutdown } from "./shutdown.ts";
import { toStartError } from "./start-error.ts";
import { describeStorage } from "./storage-location.ts";
import { startTracing } from "./tracing/start-tracing.ts";
import { secretsOfUnstorage } from "./unstorage-driver.ts";

export interface RunServerOptions {
  readonly settings: Settings;
  readonly program: Program;
}

/** The time for requests in progress after a stop signal. Attempts get the same time. */
const drainMs = 14_000;
/** The time after which the process has ended (contract: The server). */
const stopTimeoutMs = 15_000;

/**
 * Serves until a signal arrives, and resolves when everything is closed, at most 15 s after the signal. A storage that
 * does not respond delays neither a cancelled start nor the end. The next process continues unfinished work.
 *
 * @throws {ServerError} if it cannot start. Everything that was opened is closed again
 */
export async function runServer({ settings, program }: RunServerOptions): Promise<void> {
  const stopped = onShutdown({ program, now: () => performance.now() });
  const colours = program.isTerminal && (program.environment["NO_COLOR"] ?? "") === "";
  const logger = createLogger({
    form: settings.log,
    level: settings.logLevel,
    colours,
    write: program.log,
    now: Date.now,
    secrets: secretsOf(settings),
  });
  const log = createServerLog(logger);
  const serviceManager = connectServiceManager({
    environment: program.environment,
    processId: program.processId,
    onFailure: (error) => log("service_manager_not_notified", { error }),
  });
  void stopped.then(() => serviceManager.stopping());
  const work = serve({ settings, program, colours, logger, log, stopped, serviceManager });
  try {
    if (!(await endsInTime({ work, stopped, withinMs: stopTimeoutMs }))) log("stopped_early");
  } finally {
    serviceManager.close();
  }
  log("stopped");
}

function secretsOf(settings: Settings): readonly string[] {
  const { storage, secret, secretPrevious, hostToken = [], metricsToken, smtpUrl, outbox, proxy } = settings;
  const ofStorage = storage.type === "unstorage" ? secretsOfUnstorage(storage) : [];
  const tokens = hostToken.map(({ token }) => token);
  const all = [secret, secretPrevious, ...tokens, metricsToken, smtpUrl, outbox, proxy, ...ofStorage];
  return all.filter((each) => each !== undefined);
}

interface ServeOptions extends RunServerOptions {
  readonly colours: boolean;
  readonly logger: Logger;
  readonly log: WriteServerLogLine;
  readonly stopped: Promise<StopSignal>;
  readonly serviceManager: ServiceManager;
}

async function serve(options: ServeOptions): Promise<void> {
  const { settings, program, colours, logger, log, stopped, serviceManager } = options;
  for (const { code, message } of listSettingWarnings(settings, program.environment)) log(code, {}, message);
  log("settings_read", describeSettings(settings));
  applyHeapSettings(settings.storage.type);
  const opened: (() => Promise<void>)[] = [];
  let stopMeasuring: (() => void) | undefined;
  let watch: CheckWatch | undefined;

  async function start() {
    const stopTracing = await startTracing({ environment: program.environment, log });
    if (stopTracing !== undefined) opened.unshift(stopTracing);
    const newId = createIdSource({ now: Date.now, randomBytes });
    const admin = await openAdminListener({ settings, newRequestId: () => newId("req") });
    if (admin !== undefined) {
      opened.unshift(() => admin.close());
      log("admin_listening", { url: admin.url });
    }
    const store = await openStore(settings.storage, {
      tlsFiles: settings,
      poolSize: settings.poolSize,
      onWarning: (warning) => log("storage_may_forget", {}, warning),
      onError: (error) => log("storage_upkeep_failed", { error }),
    });
    opened.unshift(() => store.close());
    const secretOptions = {
      storage: settings.storage,
      store,
      given: settings.secret,
      givenPrevious: settings.secretPrevious,
      logger,
    };
    // Before a secret is created.
    const data = await checkEmptyStorage(secretOptions);
    const logged = new Set<string>();
    if (data.status === "warning") {
      logged.add("data");
      log("storage_empty", {}, describeFinding(data));
    }
    const secrets = await readServerSecrets(secretOptions);
    // Loaded late, because its receiver needs packages of several megabytes.
    const { prepareDemo } = settings.demo ? await import("./demo/prepare-demo.ts") : {};
    const demo = await prepareDemo?.({ settings, program, store, secrets, colours, log });
    if (demo !== undefined) opened.unshift(() => demo.close());
    const egress = await readEgress(settings);
    const complete = demo === undefined ? settings : { ...settings, hostToken: demo.hostToken };
    const hookwright = await createHookwright({
      ...toLibraryOptions(complete),
      store,
      ...secrets,
      egress,
      trustedOrigins: demo === undefined ? [] : [demo.receiverOrigin],
      adminListener: admin !== undefined,
      readinessWarnings: () => watch?.warnings() ?? [],
      mailer: await createMailer({ ...settings, logger }),
      logger,
    });
    opened.unshift(() => hookwright.close());
    admin?.serve(hookwright.admin);
    const { port, host, maxConnections, headersTimeoutSeconds, requestTimeoutSeconds } = settings;
    const limits = { maxConnections, headersTimeoutSeconds, requestTimeoutSeconds };
    const listening = await listen(hookwright, { port, host, limits });
    opened.unshift(() => listening.close(0));
    return { complete, store, logged, admin, demo, hookwright, listening };
  }

  try {
    // The storage may keep a start waiting: for a connection, a migration, or another process.
    const started = await Promise.race([start(), stopped]);
    if (typeof started === "string") {
      log("start_cancelled", { signal: started, storage: describeStorage(settings.storage) });
      return;
    }
    const { complete, store, logged, admin, demo, hookwright, listening } = started;
    stopMeasuring = letHeapGrowWhenBusy();
    log("listening", {
      url: listening.url,
      ...(settings.publicUrl === undefined ? {} : { public_url: settings.publicUrl }),
      ...(admin === undefined ? {} : { admin_url: admin.url }),
      host: settings.host,
      storage: describeStorage(settings.storage),
      role: settings.role,
    });
    serviceManager.ready();
    watch = watchServer({ settings: complete, program, store, log, logged });
    await Promise.race([demo?.show({ hookwright, url: settings.publicUrl ?? listening.url }), stopped]);
    const signal = await stopped;
    log("stopping", { signal });
    await demo?.stopTraffic();
    await drain({ listening, hookwright, log });
    admin?.refuse("The server is stopping.");
    opened.splice(0, 2);
  } catch (cause) {
    throw toStartError(settings, cause);
  } finally {
    stopMeasuring?.();
    watch?.close();
    // In reverse order of opening. A failure must not stop the others from closing.
    for (const close of opened) await close().catch((error: unknown) => log("close_failed", { error }));
  }
}

/** Data in memory belongs to the process, and that of a first start is empty. */
function watchServer({
  settings,
  program: { environment },
  store,
  log,
  logged,
}: Pick<ServeOptions, "settings" | "program" | "log"> & {
  readonly store: Store;
  readonly logged: ReadonlySet<string>;
}): CheckWatch {
  const isInMemory = settings.storage.type === "memory";
  const only = [
    ...(isInMemory ? [] : ["space"]),
    ...(isInMemory || !logged.has("data") ? [] : ["data"]),
    "clock",
    "proxy",
  ];
  return watchChecks({ look: () => checkServer({ settings, environment, store, only }), log, logged });
}

interface DrainOptions {
  readonly listening: Listening;
  readonly hookwright: Pick<Hookwright, "close">;
  readonly log: WriteServerLogLine;
}

/** Requests and attempts end concurrently, within one deadline. */
async function drain({ listening, hookwright, log }: DrainOptions): Promise<void> {
  const ended = await Promise.allSettled([listening.close(drainMs), hookwright.close()]);
  for (const each of ended) if (each.status === "rejected") log("close_failed", { error: each.reason });
}
