import { apiErrors } from "@hookwright/domain";
import type { Failure, FailureOptions } from "./failure-options.ts";
import { MockError } from "./mock-error.ts";
import { operationNames } from "./operation-names.ts";

/** The failures that are not in the public API. */
const others: Readonly<Record<Exclude<Failure, keyof typeof apiErrors>, true>> = {
  invalid_credentials: true,
  invalid_state: true,
  network_error: true,
  no_answer: true,
};

const operations: ReadonlySet<string> = new Set(operationNames);

/**
 * Rejects invalid failures of tests without types.
 *
 * @throws MockError `invalid_failure` with the name of the option
 */
export function checkFailure(
  failure: Failure,
  { on, times = 1, status = 500, retryAfterSeconds = 0 }: FailureOptions,
): void {
  if (!Object.hasOwn(apiErrors, failure) && !Object.hasOwn(others, failure))
    throw refuse(`failure: ${failure} is not an error code, network_error or no_answer`);
  if (on !== undefined && !operations.has(on))
    throw refuse(`on: ${on} is not an operation. operationNames lists all operations`);
  if (!(Number.isInteger(times) && times >= 1)) throw refuse("times: must be a positive integer");
  if (!(Number.isInteger(status) && status >= 400 && (status <= 500 || status === 503)))
    throw refuse("status: must be an integer from 400 to 500, or 503");
  if (!(Number.isFinite(retryAfterSeconds) && retryAfterSeconds >= 0))
    throw refuse("retryAfterSeconds: must be a number of at least 0");
}

function refuse(problem: string): MockError {
  return new MockError("invalid_failure", `${problem}.`);
}
