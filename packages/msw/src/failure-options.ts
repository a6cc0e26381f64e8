import type { ErrorCode } from "@hookwright/domain";
import type { OperationName } from "./routing/operation-names.ts";

/**
 * An error code of the service; or `network_error`, where the connection breaks; or `no_answer`, where the program has to give up
 * by itself.
 */
export type Failure = ErrorCode | "network_error" | "no_answer";

export interface FailureOptions {
  /** Fails requests of this operation alone. @default any request, whatever it asks for */
  readonly on?: OperationName | undefined;
  /** How many requests fail, from 1. @default 1 */
  readonly times?: number | undefined;
  /** From 400 to 599. @default the code's usual one; 503 is another with `internal_error` */
  readonly status?: number | undefined;
  /** @default one that tells it is the mock's doing */
  readonly message?: string | undefined;
  /** For the `Retry-After` header, which has whole seconds: rounded up, and 1 at least. @default 1 for `rate_limited`, else none */
  readonly retryAfterSeconds?: number | undefined;
}
