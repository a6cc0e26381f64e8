import type { ClientErrorCode } from "./error-codes.ts";

export interface ClientErrorDetails {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly operation?: string | undefined;
  readonly outcomeUnknown?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * Whatever a call can fail with. Branch on `code`, which never changes; `message` is for people and says what to do. Neither
 * of them, nor anything that hangs on the error, holds the API key.
 *
 * @example
 * try {
 *   await client.orders.get(id);
 * } catch (error) {
 *   if (error instanceof ClientError && error.code === "resource_not_found") return undefined;
 *   throw error;
 * }
 */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** HTTP status of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** The answer's `X-Request-Id`: tell it to whoever runs the API. */
  readonly requestId: string | undefined;
  /** Seconds the API asks to wait for, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Method and path, without ids and filters: `GET /v1/orders/{id}`. */
  readonly operation: string | undefined;
  /** Whether a change may have been made all the same: its answer was lost, or is no refusal. Never true for reading. */
  readonly outcomeUnknown: boolean;

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.operation = details.operation;
    this.outcomeUnknown = details.outcomeUnknown ?? false;
  }
}
