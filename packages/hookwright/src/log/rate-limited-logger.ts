import { toErrorFields } from "@hookwright/domain";
import type { Logger } from "@hookwright/domain";

/** This many lines of one kind are written per window. The others are only counted. */
const linesInWindow = 5;
const windowMs = 10_000;
const maximumKinds = 200;

interface Kind {
  readonly windowStart: number;
  lines: number;
  suppressed: number;
}

/**
 * Creates a logger that limits its warnings and errors. If the storage is unavailable, every request and every
 * partition fails, some thousand times a second. The next written line of the same kind has the number of dropped lines
 * (`suppressed`).
 *
 * @param options.now milliseconds, monotonic
 */
export function createRateLimitedLogger(options: {
  readonly logger: Logger;
  readonly now: () => number;
}): Logger {
  const { logger, now } = options;
  const kinds = new Map<string, Kind>();
  /** All further kinds share this entry once `maximumKinds` are known. */
  let others = startWindow(Number.NEGATIVE_INFINITY);

  /** A logger that throws or rejects must not end the process. */
  function write(
    ...[level, message, fields]: ["info" | "warn" | "error", ...Parameters<Logger["error"]>]
  ): void {
    const report = (error: unknown): void =>
      console.error("A log line could not be written because `logger` failed. Check the logger.", {
        line: message,
        code: "logger_failed",
        ...toErrorFields(error),
      });
    try {
      // `console` would print an undefined argument.
      const written: unknown = fields === undefined ? logger[level](message) : logger[level](message, fields);
      Promise.resolve(written).catch(report);
    } catch (error) {
      report(error);
    }
  }

  function findKind(name: string, time: number): Kind {
    const known = kinds.get(name);
    if (known !== undefined && isInWindow(known, time)) return known;
    const [oldest] = kinds;
    if (known === undefined && oldest !== undefined && kinds.size >= maximumKinds) {
      if (isInWindow(oldest[1], time)) {
        if (!isInWindow(others, time)) others = startWindow(time, others);
        return others;
      }
      kinds.delete(oldest[0]);
    }
    // Delete and add again, so that the first entry always has the oldest window.
    kinds.delete(name);
    const started = startWindow(time, known);
    kinds.set(name, started);
    return started;
  }

  function limited(level: "warn" | "error"): Logger["error"] {
    return (message, fields) => {
      const time = now();
      const kind = findKind(kindOf(message, fields), time);
      kind.lines += 1;
      if (kind.lines > linesInWindow) {
        kind.suppressed += 1;
        return;
      }
      const { suppressed } = kind;
      kind.suppressed = 0;
      write(level, message, suppressed === 0 ? fields : { ...fields, suppressed });
    };
  }

  return {
    info: (message, fields) => write("info", message, fields),
    warn: limited("warn"),
    error: limited("error"),
  };
}

function startWindow(windowStart: number, before?: Kind): Kind {
  return { windowStart, lines: 0, suppressed: before?.suppressed ?? 0 };
}

function isInWindow({ windowStart }: Kind, time: number): boolean {
  return time - windowStart < windowMs;
}

/**
 * Returns the code and the first line of the error, so that many lines of one cause do not hide another cause. Words
 * with digits are replaced: ids, times and paths would make every line a separate kind.
 */
function kindOf(message: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const { code, error } = fields;
  const name = typeof code === "string" ? code : message;
  const [firstLine = ""] = typeof error === "string" ? error.split("\n", 1) : [];
  // Hexadecimal ids may consist of letters only in part, so the whole word is replaced.
  return `${name} ${firstLine.replace(/[\w-]+/gu, (word) => (/\d/u.test(word) ? "0" : word))}`.slice(0, 250);
}
