import type { Logger, PinoLike } from "@hookwright/domain";

/** Without a logger, warnings and errors go to the console, and nothing else does. */
export const consoleLogger: Logger = {
  info: () => {},
  warn: (message, fields) => console.warn(message, fields),
  error: (message, fields) => console.error(message, fields),
};

export function isLogger(value: unknown): value is Logger | PinoLike {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return ["info", "warn", "error"].every((level) => typeof Reflect.get(value, level) === "function");
}
