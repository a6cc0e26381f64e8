import process from "node:process";
import { createContext, Script } from "node:vm";
import type { Context } from "node:vm";
import { HookwrightError, validationFailed } from "@hookwright/domain";

/** Runs schemas of the host over data of clients. */
export interface SchemaTime {
  /**
   * Runs a function that does not wait, and interrupts it if it takes too long.
   *
   * @throws HookwrightError `validation_failed` if it takes too long; `rate_limited` for a while after that
   */
  run<Result extends object>(accountId: string, read: () => Result): Result;
}

/** Schemas take microseconds. */
const longestMs = 250;
/** A busy machine may pause the process meanwhile, so an interrupt counts only if the process was running. */
const leastRunningMs = longestMs / 2;
const maximumRuns = 3;
/** Until the data of an account is read again. So an account may use a fortieth of the time of a process. */
const pauseMs = 10_000;

/**
 * A schema of the host may have a regular expression that takes years for a short text of a client. Only an interrupt of the
 * engine ends it, and its functions cannot be moved to another thread.
 */
export function createSchemaTime({ now }: { readonly now: () => number }): SchemaTime {
  const refusedUntil = new Map<string, number>();
  const runWithin = createTimedRun();

  /** Repeats a run that was interrupted because the process was paused. */
  function runUnlessPaused<Result extends object>(read: () => Result): Result {
    for (let runs = 1; ; runs++) {
      const begun = process.cpuUsage();
      try {
        return runWithin(longestMs, read);
      } catch (error) {
        const { user, system } = process.cpuUsage(begun);
        const wasPaused = (user + system) / 1_000 < leastRunningMs;
        if (!isTimeout(error) || !wasPaused || runs === maximumRuns) throw error;
      }
    }
  }

  return {
    run<Result extends object>(accountId: string, read: () => Result): Result {
      const waitMs = (refusedUntil.get(accountId) ?? 0) - now();
      if (waitMs > 0)
        throw new HookwrightError(
          "rate_limited",
          "data: the last check took too long. Try again later with simpler data.",
          { retryAfterSeconds: Math.ceil(waitMs / 1_000) },
        );
      refusedUntil.delete(accountId);
      try {
        return runUnlessPaused(read);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        refusedUntil.set(accountId, now() + pauseMs);
        throw validationFailed([`data: the schema of the event took more than ${longestMs} ms to check it`]);
      }
    },
  };
}

/**
 * Creates a function that runs another one within a time limit. It throws an error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT`, or
 * what the function throws. Its realm takes a millisecond to create, so there is one.
 */
function createTimedRun() {
  const script = new Script("run()");
  const globals = { run: (): void => {} };
  let realm: Context | undefined;
  return <Result extends object>(timeoutMs: number, read: () => Result): Result => {
    const results: Result[] = [];
    globals.run = () => void results.push(read());
    realm ??= createContext(globals);
    script.runInContext(realm, { timeout: timeoutMs });
    const [result] = results;
    if (result === undefined) throw new Error("The function has no result.");
    return result;
  };
}

/** The error is of another realm, so it is no instance of our `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
