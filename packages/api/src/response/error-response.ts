import { isHookwrightError } from "@hookwright/domain";
import type { HookwrightError } from "@hookwright/domain";
import { ApiError } from "../api-error.ts";
import { BodyMemoryError, BodyTooLargeError, ClientGoneError } from "../request/body-errors.ts";
import { failure } from "./api-response.ts";
import type { ApiResponse } from "./api-response.ts";

const unavailableRetrySeconds = 1;
const bodyMemoryRetrySeconds = 5;

export interface ErrorResponse {
  readonly response: ApiResponse;
  readonly isLogged: boolean;
  /** The code of the log line. @default "request_failed" */
  readonly code?: "body_memory_full";
}

/** The response to an error, and whether it must be logged. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof BodyMemoryError) {
    const response = { ...unavailable(bodyMemoryRetrySeconds), closesConnection: true };
    return { response, isLogged: true, code: "body_memory_full" };
  }
  if (error instanceof BodyTooLargeError) {
    return { response: { ...refusal(error), closesConnection: true }, isLogged: false };
  }
  if (error instanceof ClientGoneError) {
    return { response: failure(400, "validation_failed", "body: ended early"), isLogged: false };
  }
  if (isHookwrightError(error) && error.status < 500) return { response: refusal(error), isLogged: false };
  if (isHookwrightError(error) && error.status === 503) {
    return { response: unavailable(error.retryAfterSeconds ?? unavailableRetrySeconds), isLogged: true };
  }
  if (isStorageUnavailable(error)) return { response: unavailable(unavailableRetrySeconds), isLogged: true };
  // The embedding program made a mistake. The message tells its developer what to change, so it is sent.
  if (error instanceof ApiError)
    return { response: failure(500, "internal_error", error.message), isLogged: true };
  return { response: failure(500, "internal_error", "Something failed inside the service."), isLogged: true };
}

function refusal({ status, code, message, retryAfterSeconds }: HookwrightError): ApiResponse {
  return failure(status, code, message, {
    // RFC 9110, section 11.6.1: every 401 names a scheme.
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(retryAfterSeconds === undefined
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
  });
}

function unavailable(retryAfterSeconds: number): ApiResponse {
  return unavailableBecause(
    "The service is unavailable at the moment. Try again shortly.",
    retryAfterSeconds,
  );
}

/** @param problem a sentence that may be public */
export function notReady(problem: string): ApiResponse {
  return unavailableBecause(problem, unavailableRetrySeconds);
}

function unavailableBecause(message: string, retryAfterSeconds: number): ApiResponse {
  return failure(503, "internal_error", message, {
    "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))),
  });
}

const longestCauseChain = 8;
const unavailableCodes: ReadonlySet<unknown> = new Set(["unavailable", "closed", "in_use"]);

/** Checks the code, not the class: the API does not import the storage package, and the service may wrap the error. */
function isStorageUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < longestCauseChain && current instanceof Error; depth += 1) {
    if ("code" in current && unavailableCodes.has(current.code)) return true;
    current = current.cause;
  }
  return false;
}
