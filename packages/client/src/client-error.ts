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
 * Every error that a call can fail with. Branch on `code`, which is stable. `message` is for people and says
 * what to do. The error never contains the API key.
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
  /** The HTTP status of the response, or `undefined` without one. */
  readonly status: number | undefined;
  /** The `X-Request-Id` of the response. Quote it when you contact the operator of the API. */
  readonly requestId: string | undefined;
  /** The seconds to wait, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Method and path, without ids and filters: `GET /v1/orders/{id}`. */
  readonly operation: string | undefined;
  /**
   * Whether the outcome of a write is unknown, because its response was lost or is not a rejection. Never
   * true for reads.
   */
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
