/** How many connections deliveries may have. */
export interface ConnectionRoom {
  readonly attempts: number;
  /** Beside those: what waits for the next delivery. */
  readonly idle: number;
}

const mostAttempts = 4_096;
const mostIdle = 1_024;

/**
 * What a process may have open is not for deliveries alone: where all of it was, a thousand endpoints that hang kept the API from
 * taking connections, and the filesystem from opening files. So attempts have half of it at most, and idle connections an eighth.
 *
 * @param openFiles how many files the process may have open, sockets included; `undefined` where nobody knows
 */
export function connectionRoom(openFiles: number | undefined): ConnectionRoom {
  if (openFiles === undefined) return { attempts: mostAttempts, idle: mostIdle };
  return {
    attempts: Math.max(1, Math.min(mostAttempts, Math.floor(openFiles / 2))),
    idle: Math.max(1, Math.min(mostIdle, Math.floor(openFiles / 8))),
  };
}

/** The facts of a room that is smaller than it could be, for the log; undefined if it is not. */
export function describeSmallRoom(
  { attempts }: ConnectionRoom,
  openFiles: number | undefined,
): Readonly<Record<string, number>> | undefined {
  if (openFiles === undefined || attempts >= mostAttempts) return undefined;
  return {
    open_files_limit: openFiles,
    attempts_at_once: attempts,
    attempts_at_once_possible: mostAttempts,
    open_files_needed: mostAttempts * 2,
  };
}

/** How many files this process may have open, sockets included; `undefined` where that is not limited, or nobody tells. */
export function openFilesLimit(): number | undefined {
  // Other runtimes have no report, and Windows no such limit. Node raises its own as far as it may when it starts.
  const report: unknown = readReport();
  const limit = valueAt(valueAt(valueAt(report, "userLimits"), "open_files"), "soft");
  return typeof limit === "number" ? limit : undefined;
}

function readReport(): unknown {
  const { report } = process;
  if (typeof report?.getReport !== "function") return undefined;
  // With it, a report looks up the names of all that is connected. The types of Node do not know it yet.
  const setting = "excludeNetwork";
  const before: unknown = Reflect.get(report, setting);
  Reflect.set(report, setting, true);
  try {
    return report.getReport();
  } finally {
    Reflect.set(report, setting, before);
  }
}

function valueAt(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
