import type { Logger, PinoLike } from "@hookwright/domain";

/** The default logger. It looks up `console` for each line, because tests and tools replace its methods. */
export const consoleLogger: Logger = {
  info: (message, fields) => console.info(message, fields),
  warn: (message, fields) => console.warn(message, fields),
  error: (message, fields) => console.error(message, fields),
};

export function isLogger(value: unknown): value is Logger | PinoLike {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return ["info", "warn", "error"].every((level) => typeof Reflect.get(value, level) === "function");
}
