import type { Logger, LogLevel } from "./logger.ts";

/** A logger whose methods take the fields first, then the message: pino, Fastify's `app.log`, bunyan. */
export interface PinoLike {
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/**
 * Adapts a logger that takes the fields first. pino drops the fields of a call that has the message first.
 *
 * @example createHookwright({ store, secret, logger: pinoLogger(app.log) });
 */
export function pinoLogger(log: PinoLike): Logger {
  const write =
    (level: Exclude<LogLevel, "debug">): Logger["info"] =>
    (message, fields = {}) =>
      log[level](fields, message);
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

/** Returns the logger, adapted if it takes the fields first. */
export function toMessageFirst(logger: Logger | PinoLike): Logger {
  return takesMessageFirst(logger) ? logger : pinoLogger(logger);
}

/**
 * Only pino-like loggers have `bindings`, or `child`, `fatal` and `trace` without `log`. winston has `child`
 * and `log`. console and consola have no `child`.
 */
function takesMessageFirst(logger: Logger | PinoLike): logger is Logger {
  const has = (name: string): boolean => typeof Reflect.get(logger, name) === "function";
  const isPinoLike = has("child") && (has("bindings") || (has("fatal") && has("trace") && !has("log")));
  return !isPinoLike;
}
