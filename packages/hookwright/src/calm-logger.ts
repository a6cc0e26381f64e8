import { toErrorFields } from "@hookwright/domain";
import type { Logger } from "@hookwright/domain";

/** So many lines of one kind in a window show what is wrong. The others are only counted. */
const linesInWindow = 5;
const windowMs = 10_000;
const mostKinds = 200;

interface Kind {
  readonly windowStart: number;
  lines: number;
  suppressed: number;
}

/**
 * A logger whose warnings and errors cannot flood. A storage that is away makes every request and every partition fail, some
 * thousand times a second. Lines that are left out are counted in the next line of their kind (`suppressed`).
 *
 * @param options.now milliseconds, monotonic
 */
export function createCalmLogger(options: { readonly logger: Logger; readonly now: () => number }): Logger {
  const { logger, now } = options;
  const kinds = new Map<string, Kind>();
  /** New kinds, while as many kinds are known as can be told apart. */
  let others = begin(Number.NEGATIVE_INFINITY);

  /** A logger that throws or rejects must not end the process. */
  function write(...[level, message, fields]: [keyof Logger, ...Parameters<Logger["error"]>]): void {
    const report = (error: unknown): void =>
      console.error("A log line could not be written because `logger` failed. Check the logger.", {
        line: message,
        code: "logger_failed",
        ...toErrorFields(error),
      });
    try {
      // `console` would write an argument that is undefined.
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

/**
 * The code, and the first line of the error: a second cause is not hidden by a flood of the first. Words with digits are left
 * out, because ids, times and paths would make each line a kind of its own.
 */
function kindOf(message: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const { code, error } = fields;
  const name = typeof code === "string" ? code : message;
  const [firstLine = ""] = typeof error === "string" ? error.split("\n", 1) : [];
  // Hexadecimal ids have letters too, and those differ as well.
  return `${name} ${firstLine.replace(/[\w-]+/gu, (word) => (/\d/u.test(word) ? "0" : word))}`.slice(0, 250);
}
