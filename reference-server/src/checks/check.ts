import { setTimeout as delay } from "node:timers/promises";
import { ServerError } from "../server-error.ts";

/** The result of a check. Exactly one line for a person. */
export interface CheckResult {
  readonly name: string;
  /** A warning says what may be wrong, and does not fail the command. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** What was found, or why the check was skipped. Never a secret. */
  readonly message: string;
  /** What to do. Only of a warning and of a failed check, if the message does not say it. */
  readonly fix?: string;
}

/** What a check found, without its name. */
export type Finding = Omit<CheckResult, "name">;

export const ok = (message: string): Finding => ({ status: "ok", message });
export const skipped = (message: string): Finding => ({ status: "skipped", message });
export const warning = (message: string, fix?: string): Finding => ({
  status: "warning",
  message,
  ...(fix === undefined ? {} : { fix }),
});
export const failed = (message: string, fix: string): Finding => ({ status: "failed", message, fix });

export interface Check {
  readonly name: string;
  /** A {@link ServerError} is what `serve` refuses to start with, so it is shown in the same words. */
  readonly run: (signal: AbortSignal) => Promise<Finding> | Finding;
  /** What to do if it throws another error, or does not end in time. */
  readonly fix: string;
  /** It waits until the storage is open. `needed`: without the storage it is skipped. */
  readonly storage?: "needed" | "used";
}

/** The time for each check. A directory that another container has open says so after 10 s. */
export const checkTimeoutMs = 15_000;

/** Runs a check. It has failed if it throws or does not end in time. */
export async function runCheck({ name, run, fix }: Check, timeoutMs: number): Promise<CheckResult> {
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
  const work = async (): Promise<Finding> => run(timeout.signal);
  try {
    const finding = work().catch((error: unknown) => toFinding(error, fix));
    return { name, ...(await Promise.race([finding, late])) };
  } finally {
    ended.abort();
  }
}

function toFinding(error: unknown, fix: string): Finding {
  return error instanceof ServerError
    ? { status: "failed", message: error.message }
    : failed(describeError(error), fix);
}

/** The sentences of a result in one line. */
export function describeFinding({ message, fix }: Finding): string {
  return fix === undefined ? message : `${message}. ${fix}`;
}

/** A message of one line. Errors of several connections have none of their own. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map(describeError).join("; ");
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/gu, " ").trim().replace(/\.$/u, "");
}
