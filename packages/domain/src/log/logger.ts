export type LogLevel = "info" | "warn" | "error";

/** Structured log lines: the message first, then an object of fields. `console` fits, and so does winston. */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A line as a table of lines has it. */
export interface LogLine {
  readonly level: LogLevel;
  /** What happened, and what to do about it. What differs from one line to the next is in the fields. */
  readonly message: string;
}
