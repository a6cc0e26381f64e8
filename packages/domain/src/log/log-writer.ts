import { toErrorFields } from "./error-fields.ts";
import type { Logger, LogLine } from "./logger.ts";
import { maskPersonalData } from "./mask-personal-data.ts";
import type { LogCode } from "./log-lines.ts";
import { toMessageFirst } from "./pino-logger.ts";
import type { PinoLike } from "./pino-logger.ts";

/** Ids and other facts of one line. */
export interface LogFields extends Readonly<Record<string, unknown>> {
  /** The thrown error. The line contains its message as `error` and its stack as `stack`. */
  readonly error?: unknown;
}

/** @param message replaces the message of the table */
export type WriteLogLine<Code extends string = LogCode> = (
  code: Code,
  fields?: LogFields,
  message?: string,
) => void;

/** Reports an error that no caller receives. */
export type OnError = (error: unknown, context: ErrorContext) => void;

export interface ErrorContext extends Readonly<Record<string, unknown>> {
  readonly code: LogCode;
}

/**
 * Writes lines of a table to a logger: the message, ids, `component`, `code`, and `error` and `stack` if something was thrown.
 *
 * @example createLogWriter(console, logLines)("request_failed", { request_id: "req_1", error });
 */
export function createLogWriter<Code extends string>(
  logger: Logger | PinoLike,
  lines: Readonly<Record<Code, LogLine>>,
): WriteLogLine<Code> {
  const target = toMessageFirst(logger);
  return (code, fields = {}, message) => {
    const line = lines[code];
    const { error, ...others } = fields;
    const thrown = "error" in fields ? toErrorFields(error) : {};
    const { component } = line;
    target[line.level]?.(message ?? line.message, maskTexts({ ...others, component, code, ...thrown }));
  };
}

/** These fields come from other programs, so they may hold anything. */
const foreignTexts = ["error", "stack", "problem"];

function maskTexts(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const masked: Record<string, unknown> = { ...fields };
  for (const name of foreignTexts) {
    const text = masked[name];
    if (typeof text === "string") masked[name] = maskPersonalData(text);
  }
  return masked;
}
