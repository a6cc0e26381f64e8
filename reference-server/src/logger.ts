import { styleText } from "node:util";
import type { Logger } from "hookwright";
import { hideSecrets } from "@hookwright/domain";

export interface LoggerOptions {
  readonly form: "pretty" | "json";
  /** Lines below this level are dropped. @default "info" */
  readonly level?: LogLevel;
  /** True if pretty lines have colours. */
  readonly colours: boolean;
  /** Writes one line. The text has no line end. */
  readonly write: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Secrets that are masked in all lines. */
  readonly secrets: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const credential = /\b(?:(hwk_|hwc_|hwl_|hws_|hwi_)[\w.-]{8,}|(whsec_)[\w+/=-]{8,})/gu;
/** From the lowest to the highest. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Creates a logger with JSON lines (`{"time","level","msg",…}`) or short lines for people.
 *
 * @example createLogger(options).info("listening", { url }) // {"time":"…","level":"info","msg":"listening","url":"…"}
 */
export function createLogger(options: LoggerOptions): Logger {
  const { form, write, now, secrets } = options;
  const lowest = logLevels.indexOf(options.level ?? "info");
  const render = form === "json" ? renderJson : renderPretty(options.colours);

  function log(level: LogLevel, message: string, fields: Fields = {}): void {
    if (logLevels.indexOf(level) < lowest) return;
    // A second safeguard for "secrets never appear in logs" (contract: Secrets). Normally nothing matches.
    const line = render(new Date(now()), level, message, fields).replaceAll(credential, "$1$2***");
    write(hideSecrets(line, secrets));
  }

  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields) => log("error", message, fields),
  };
}

function renderJson(time: Date, level: LogLevel, message: string, fields: Fields): string {
  return escapeControls(JSON.stringify({ time: time.toISOString(), level, msg: message, ...fields }));
}

function renderPretty(colours: boolean) {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const marks: Readonly<Record<LogLevel, string>> = {
    debug: paint("dim", "debug"),
    info: paint("dim", "info "),
    warn: paint("yellow", "warn "),
    error: paint("red", "error"),
  };
  return (time: Date, level: LogLevel, message: string, fields: Fields): string => {
    const clock = paint("dim", time.toISOString().slice(11, 19));
    const shown = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${paint("dim", `${name}=`)}${escapeControls(renderValue(value))}`);
    return [clock, marks[level], escapeControls(message), ...shown].join(" ");
  };
}

function renderValue(value: unknown): string {
  return typeof value === "string" && !/[\s"]/u.test(value) ? value : String(JSON.stringify(value));
}

/**
 * Escapes control characters from untrusted data, such as a target URL, so that they cannot control the terminal. JSON
 * does not escape U+009B.
 */
function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
