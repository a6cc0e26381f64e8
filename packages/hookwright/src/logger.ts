/** Structured log lines. `console` fits, and so does any logger whose methods take a message and fields. */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** An embedding program that passes no logger still learns of what went wrong. */
export const faultLogger: Logger = {
  info: () => {},
  warn: (message, fields) => console.warn(message, fields),
  error: (message, fields) => console.error(message, fields),
};

export function isLogger(value: unknown): value is Logger {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return ["info", "warn", "error"].every((level) => typeof Reflect.get(value, level) === "function");
}
