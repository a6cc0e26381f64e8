import { describeError } from "@hookwright/api";
import type { Logger } from "./logger.ts";

/** So many lines of one kind in a window are enough to see what is wrong; of the others only the number is told. */
const linesInWindow = 5;
const windowMs = 10_000;
const mostKinds = 200;

interface Kind {
  readonly windowStart: number;
  lines: number;
  suppressed: number;
}

/**
 * A logger whose warnings and errors cannot flood: a storage that is away makes every request and every partition fail, some
 * thousand times a second. What is left out is counted in the next line of its kind (`suppressed`).
 *
 * @param options.now milliseconds, monotonic
 */
export function createCalmLogger(options: { readonly logger: Logger; readonly now: () => number }): Logger {
  const { logger, now } = options;
  const kinds = new Map<string, Kind>();
  /** What is new while there are as many kinds as can be told apart. */
  let others = begin(Number.NEGATIVE_INFINITY);

  /**
   * What is logged from here is often nobody else's to see, so a logger that throws must not take the process along; nor one
   * that sends its lines away, and rejects.
   */
  function write(...[level, message, fields]: [keyof Logger, ...Parameters<Logger["error"]>]): void {
    const tell = (error: unknown): void =>
      console.error("the logger failed", { line: message, error: describeError(error) });
    try {
      // `console` would write an argument that is undefined.
      const written: unknown = fields === undefined ? logger[level](message) : logger[level](message, fields);
      Promise.resolve(written).catch(tell);
    } catch (error) {
      tell(error);
    }
  }

  function findKind(name: string, time: number): Kind {
    const known = kinds.get(name);
    if (known !== undefined && isInWindow(known, time)) return known;
    const [oldest] = kinds;
    if (known === undefined && oldest !== undefined && kinds.size >= mostKinds) {
      if (isInWindow(oldest[1], time)) {
        if (!isInWindow(others, time)) others = begin(time, others);
        return others;
      }
      kinds.delete(oldest[0]);
    }
    // The first of them is always the one whose window began longest ago.
    kinds.delete(name);
    const begun = begin(time, known);
    kinds.set(name, begun);
    return begun;
  }

  function calmly(level: "warn" | "error"): Logger["error"] {
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
    warn: calmly("warn"),
    error: calmly("error"),
  };
}

function begin(windowStart: number, before?: Kind): Kind {
  return { windowStart, lines: 0, suppressed: before?.suppressed ?? 0 };
}

function isInWindow({ windowStart }: Kind, time: number): boolean {
  return time - windowStart < windowMs;
}

/** The first line of the error, without what differs from one to the next: paths, times and ids would make each its own kind. */
function kindOf(message: string, fields: Readonly<Record<string, unknown>> | undefined): string {
  const error = fields?.["error"];
  const text = typeof error === "string" ? (error.split("\n", 1)[0] ?? "") : message;
  // Hexadecimal ids have letters too, and those differ as well.
  return text.replace(/[\w-]+/gu, (word) => (/\d/u.test(word) ? "0" : word)).slice(0, 200);
}
