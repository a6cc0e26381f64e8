/** The maximum numbers of delivery connections. */
export interface ConnectionLimits {
  readonly attempts: number;
  /** Idle connections, in addition to those of attempts. */
  readonly idle: number;
}

const maximumAttempts = 4_096;
const maximumIdle = 1_024;

/**
 * Limits delivery connections by the open-files limit, because the API and the store need files too. Attempts get at
 * most half of it, and idle connections an eighth.
 *
 * @param openFiles the limit of open files of the process, including sockets. `undefined` if it is unknown.
 */
export function connectionLimits(openFiles: number | undefined): ConnectionLimits {
  if (openFiles === undefined) return { attempts: maximumAttempts, idle: maximumIdle };
  return {
    attempts: Math.max(1, Math.min(maximumAttempts, Math.floor(openFiles / 2))),
    idle: Math.max(1, Math.min(maximumIdle, Math.floor(openFiles / 8))),
  };
}

/** The fields of the log line about reduced limits. Undefined if the limits are not reduced. */
export function describeReducedLimits(
  { attempts }: ConnectionLimits,
  openFiles: number | undefined,
): Readonly<Record<string, number>> | undefined {
  if (openFiles === undefined || attempts >= maximumAttempts) return undefined;
  return {
    open_files_limit: openFiles,
    attempts_at_once: attempts,
    attempts_at_once_possible: maximumAttempts,
    open_files_needed: maximumAttempts * 2,
  };
}
