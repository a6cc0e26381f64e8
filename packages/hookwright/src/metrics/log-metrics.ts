import { logLines } from "@hookwright/domain";
import type { Logger } from "@hookwright/domain";
import { Counter } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";

/** Counts the warnings and errors that a logger receives, also those that it suppresses. */
export function countLogLines(next: Logger, registry: Registry): Logger {
  const lines = new Counter({
    name: "hookwright_errors_total",
    help: "Warnings and errors of the log by code, including suppressed lines.",
    labelNames: ["level", "code"],
    registers: [registry],
  });
  // A rate needs a first value of 0. Programs can alert on each of these codes.
  for (const [code, { level }] of Object.entries(logLines))
    if (level === "error") lines.inc({ level, code }, 0);
  const counted =
    (level: "warn" | "error"): Logger["error"] =>
    (message, fields) => {
      const code = fields?.["code"];
      lines.inc({ level, code: typeof code === "string" ? code : "none" });
      next[level](message, fields);
    };
  return {
    info: (message, fields) => next.info(message, fields),
    warn: counted("warn"),
    error: counted("error"),
  };
}
