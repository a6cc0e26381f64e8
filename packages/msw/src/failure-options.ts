import type { ErrorCode } from "@hookwright/domain";
import type { OperationName } from "./operation-names.ts";

/**
 * An error code of the public API or of the console, or `network_error` (the connection breaks), or `no_answer` (the program must
 * time out).
 */
export type Failure = ErrorCode | "network_error" | "no_answer";

export interface FailureOptions {
  /** Fails only requests of this operation. @default any request */
  readonly on?: OperationName | undefined;
  /** The number of requests that fail. @default 1 */
  readonly times?: number | undefined;
  /** The status, 400 to 500 or 503. @default the usual one of the code */
  readonly status?: number | undefined;
  /** The message below 500. @default a message that names the mock */
  readonly message?: string | undefined;
  /**
   * The seconds of the `Retry-After` header, rounded up and at least 1. 500 has none. @default 1 for
   * `rate_limited` and 503, otherwise none
   */
  readonly retryAfterSeconds?: number | undefined;
}
