import { HookwrightError } from "@hookwright/domain";
import { checkFailure } from "./check-failure.ts";
import type { Failure, FailureOptions } from "./failure-options.ts";
import type { OperationName } from "./operation-names.ts";

export interface Failures {
  /** @throws MockError `invalid_failure` */
  add(failure: Failure, options?: FailureOptions): void;
  /** Returns the failure of the next request of an operation, or `undefined` if it should not fail. */
  take(operation: OperationName | undefined): PlannedFailure | undefined;
}

export type PlannedFailure = HookwrightError | "network_error" | "no_answer";

interface Planned {
  readonly failure: PlannedFailure;
  readonly on: OperationName | undefined;
  left: number;
}

/** Creates a queue of planned failures. */
export function createFailures(): Failures {
  let planned: readonly Planned[] = [];
  return {
    add(failure, options = {}) {
      checkFailure(failure, options);
      const { on, times = 1, ...details } = options;
      planned = [...planned, { failure: toPlannedFailure(failure, details), on, left: times }];
    },
    take(operation) {
      const next = planned.find(
        ({ on, failure }) => (on === undefined || on === operation) && canFail(operation, failure),
      );
      if (next === undefined) return undefined;
      next.left -= 1;
      planned = planned.filter(({ left }) => left > 0);
      return next.failure;
    },
  };
}

/** An error code needs an operation with a key: its first check fails. */
function canFail(operation: OperationName | undefined, failure: PlannedFailure): boolean {
  return typeof failure === "string" || (operation !== undefined && operation !== "GET /v1/openapi.json");
}

function toPlannedFailure(
  failure: Failure,
  { status, message, retryAfterSeconds }: Omit<FailureOptions, "on" | "times">,
): PlannedFailure {
  if (failure === "network_error" || failure === "no_answer") return failure;
  return new HookwrightError(failure, message ?? `The mock was configured to fail with ${failure}.`, {
    status,
    retryAfterSeconds: retryAfterSeconds ?? (failure === "rate_limited" ? 1 : undefined),
  });
}
