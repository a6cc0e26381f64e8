import { HookwrightError } from "@hookwright/domain";
import type { ErrorCode } from "@hookwright/domain";
import type { OperationName } from "./routing/operation-names.ts";

/**
 * An error code of the service; or `network_error`, where the connection breaks; or `no_answer`, where the program has to give up
 * by itself.
 */
export type Failure = ErrorCode | "network_error" | "no_answer";

export interface FailureOptions {
  /** Fails requests of this operation alone. @default any request, whatever it asks for */
  readonly on?: OperationName;
  /** How many requests fail. @default 1 */
  readonly times?: number;
  /** @default the code's usual one; 503 is another with `internal_error` */
  readonly status?: number;
  /** @default one that tells it is the mock's doing */
  readonly message?: string;
  /** Whole seconds for the `Retry-After` header. @default 1 for `rate_limited`, else none */
  readonly retryAfterSeconds?: number;
}

export interface Failures {
  add(failure: Failure, options?: FailureOptions): void;
  /** What the next request of an operation meets; undefined for one that is unknown, and where nothing is to fail. */
  take(operation: OperationName | undefined): Taken | undefined;
  clear(): void;
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
    add(failure, { on, times = 1, ...details } = {}) {
      planned = [...planned, { failure: toTaken(failure, details), on, left: times }];
    },
    take(operation) {
      const next = planned.find(({ on }) => on === undefined || on === operation);
      if (next === undefined) return undefined;
      next.left -= 1;
      planned = planned.filter(({ left }) => left > 0);
      return next.failure;
    },
    clear() {
      planned = [];
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
