import { setTimeout as delay } from "node:timers/promises";
import { ConfigurationError } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";

/** The result of a check. Exactly one line for a person. */
export interface CheckResult {
  readonly name: string;
  /** A warning says what may be wrong. A check is skipped if it does not apply, or cannot be made. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** What was found, or why the check was skipped. Never a secret. */
  readonly message: string;
  /** What to do. Only of a warning and of a failed check, if the message does not say it. */
  readonly fix?: string;
}

/** What a check found, without its name. */
export type CheckFinding = Omit<CheckResult, "name">;

export const ok = (message: string): CheckFinding => ({ status: "ok", message });
export const skipped = (message: string): CheckFinding => ({ status: "skipped", message });
export const warning = (message: string, fix?: string): CheckFinding => toFinding("warning", message, fix);
export const failed = (message: string, fix?: string): CheckFinding => toFinding("failed", message, fix);

function toFinding(status: CheckFinding["status"], message: string, fix: string | undefined): CheckFinding {
  return { status, message, ...(fix === undefined ? {} : { fix }) };
}

export interface Check {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<CheckFinding> | CheckFinding;
  /** What to do if it throws, or does not end in time. @default the message says it */
  readonly fix?: string | undefined;
  /** It waits until the storage is open. `needed`: without the storage it is skipped. */
  readonly storage?: "needed" | "used";
}

/** The time for each check. A directory that another container has open says so after 10 s. */
export const checkTimeoutMs = 15_000;

/** Runs a check. It has failed if it throws or does not end in time. */
export async function runCheck({ name, run, fix }: Check, timeoutMs = checkTimeoutMs): Promise<CheckResult> {
  const ended = new AbortController();
  const timeout = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: ended.signal }).then(
    () => {
      timeout.abort();
      return failed(`no result within ${timeoutMs / 1_000} s`, fix);
    },
    // The check ended first, so nobody waits for this.
    () => failed("no result", fix),
  );
  const work = async (): Promise<CheckFinding> => expectFinding(await run(timeout.signal));
  try {
    const finding = work().catch((error: unknown) => explain(error, fix));
    return { name, ...(await Promise.race([finding, late])) };
  } finally {
    ended.abort();
  }
}

const statuses: ReadonlySet<unknown> = new Set<CheckFinding["status"]>([
  "ok",
  "warning",
  "failed",
  "skipped",
]);

/** A check of a program without types may return anything, which must not pass for a good result. */
function expectFinding(found: CheckFinding | undefined): CheckFinding {
  if (statuses.has(found?.status) && typeof found?.message === "string") return found;
  throw new ConfigurationError({
    option: "checks",
    message: `the check must return { status, message }, with the status ${[...statuses].join(", ")}`,
  });
}

/** The errors of a storage and of options say what to do, also if the program has wrapped that of the storage. */
function explain(error: unknown, fix: string | undefined): CheckFinding {
  const saysFix = error instanceof ConfigurationError || findStorageError(error) !== undefined;
  if (fix !== undefined && !saysFix) return failed(describeError(error), fix);
  return failed((error instanceof Error && error.message) || describeError(error));
}

/** The error itself or one of its causes. */
export function findStorageError(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  return error instanceof Error && error.cause !== undefined ? findStorageError(error.cause) : undefined;
}

/**
 * Returns the sentences of a result in one line: what was found, and what to do.
 *
 * @example describeFinding({ status: "failed", message: "12 MiB are free", fix: "Enlarge the disk." })
 * // "12 MiB are free. Enlarge the disk."
 */
export function describeFinding({ message, fix }: CheckFinding): string {
  return fix === undefined ? message : `${message}. ${fix}`;
}

/** A message of one line. Errors of several connections have none of their own. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map(describeError).join("; ");
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/gu, " ").trim().replace(/\.$/u, "");
}
