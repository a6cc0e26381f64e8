import { HookwrightError } from "@hookwright/domain";
import { checkFailure } from "./check-failure.ts";
import type { Failure, FailureOptions } from "./failure-options.ts";
import type { OperationName } from "./routing/operation-names.ts";

export interface Failures {
  /** @throws MockError `invalid_failure` */
  add(failure: Failure, options?: FailureOptions): void;
  /** What the next request of an operation meets; undefined for one that is unknown, and where nothing is to fail. */
  take(operation: OperationName | undefined): Taken | undefined;
}

export type Taken = HookwrightError | "network_error" | "no_answer";

interface Planned {
  readonly failure: Taken;
  readonly on: OperationName | undefined;
  left: number;
}

/** Failures in the order in which they were planned. */
export function createFailures(): Failures {
  let planned: readonly Planned[] = [];
  return {
    add(failure, options = {}) {
      checkFailure(failure, options);
      const { on, times = 1, ...details } = options;
      planned = [...planned, { failure: toTaken(failure, details), on, left: times }];
    },
    take(operation) {
      const next = planned.find(({ on }) => on === undefined || on === operation);
      if (next === undefined) return undefined;
      next.left -= 1;
      planned = planned.filter(({ left }) => left > 0);
      return next.failure;
    },
  };
}

function toTaken(
  failure: Failure,
  { status, message, retryAfterSeconds }: Omit<FailureOptions, "on" | "times">,
): Taken {
  if (failure === "network_error" || failure === "no_answer") return failure;
  return new HookwrightError(failure, message ?? `The mock was told to fail with ${failure}.`, {
    status,
    retryAfterSeconds: retryAfterSeconds ?? (failure === "rate_limited" ? 1 : undefined),
  });
}
