import { HookwrightError } from "@hookwright/domain";

/** @param what completes the message, such as "failed sign-ins from this network" */
export function tooManyFailures(what: string, waitMs: number): HookwrightError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new HookwrightError(
    "rate_limited",
    `Too many ${what}. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: seconds },
  );
}

/** The queue of password checks is full. */
export function tooManyAtOnce(): HookwrightError {
  return new HookwrightError(
    "rate_limited",
    "Too many sign-ins at this moment. Try again in a few seconds.",
    {
      retryAfterSeconds: 5,
    },
  );
}
