import type { LogLevel, LogLine } from "./logger.ts";

/**
 * Defines lines of one part of the program, by their level.
 *
 * @example linesOf("api").error("A response could not be sent.")
 */
export function linesOf(component: string) {
  // The message says what happened and what to do.
  const line =
    (level: LogLevel) =>
    (message: string): LogLine => ({ component, level, message });
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}
