import { systemClock } from "@hookwright/delivery";
import type { Clock } from "@hookwright/delivery";
import { createLogWriter, logLines, toMessageFirst } from "@hookwright/domain";
import type { Logger, WriteLogLine } from "@hookwright/domain";
import type { Mailer } from "@hookwright/service";
import { consoleLogger, isLogger } from "../log/logger.ts";
import { createRateLimitedLogger } from "../log/rate-limited-logger.ts";
import { createMetrics } from "../metrics/create-metrics.ts";
import type { Metrics } from "../metrics/create-metrics.ts";
import type { HookwrightOptions } from "../options/options.ts";
import { readOptions } from "../options/read-options.ts";
import type { CheckedOptions } from "../options/read-options.ts";
import { listStartWarnings } from "../options/start-warnings.ts";
import type { StartWarning } from "../options/start-warnings.ts";
import { isPromise } from "../options/store-problem.ts";
import { describeUnknownOptions } from "../options/unknown-options.ts";
import { addTraceIds } from "../tracing/add-trace-ids.ts";

/** What an instance is built from. */
export interface Setup {
  readonly options: HookwrightOptions;
  readonly checked: CheckedOptions;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly log: WriteLogLine;
  readonly startWarnings: readonly StartWarning[];
  /** Milliseconds since the epoch: the clock of the host, if it passed one. */
  readonly now: () => number;
  readonly mailer: Mailer;
  /** The URL of the console, for links. Undefined if nobody outside knows one. */
  readonly consoleUrl: string | undefined;
  /** Runs timers, and its time is that of the host's clock. */
  readonly clock: Clock;
}

/**
 * Checks the options, and logs what may be a mistake in them.
 *
 * @throws ConfigurationError `invalid_option`
 */
export function readSetup(options: HookwrightOptions): Setup {
  const metrics = createMetrics();
  const logger = metrics.countLogLines(
    createRateLimitedLogger({
      logger: addTraceIds(toMessageFirst(isLogger(options?.logger) ? options.logger : consoleLogger)),
      now: () => performance.now(),
    }),
  );
  const log = createLogWriter(logger, logLines);
  // A promise is not a valid store. If it rejects, the log has the reason.
  if (isPromise(options?.store)) options.store.then(undefined, (error) => log("store_not_opened", { error }));
  const checked = readOptions(options);
  const unknownOptions = describeUnknownOptions(options);
  if (unknownOptions !== undefined)
    log("unknown_option", { options: unknownOptions.names }, unknownOptions.message);
  const startWarnings = listStartWarnings(checked, options);
  for (const { code, fields } of startWarnings) log(code, fields);
  const { now = Date.now } = checked;
  const clock = checked.now === undefined ? systemClock : { ...systemClock, now };
  return {
    options,
    checked,
    metrics,
    logger,
    log,
    startWarnings,
    now,
    mailer: options.mailer ?? logMailer(logger),
    consoleUrl:
      checked.pages.length > 0 && checked.publicUrl !== undefined
        ? `${checked.publicUrl}/console`
        : undefined,
    clock,
  };
}

function logMailer(logger: Logger): Mailer {
  return {
    send: async ({ to, subject, text }) => logger.info("mail", { to, subject, text }),
  };
}
