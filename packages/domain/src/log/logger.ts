export type LogLevel = "debug" | "info" | "warn" | "error";

/** Structured log lines: the message first, then an object of fields. `console` fits, and so does winston. */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Without it, lines of this level are dropped. The library writes none. */
  debug?(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** An entry in a table of log lines. */
export interface LogLine {
  /** The part of the program that writes it, in one word. */
  readonly component: string;
  readonly level: LogLevel;
  /** What happened and what to do. Variable parts are in the fields. */
  readonly message: string;
}
