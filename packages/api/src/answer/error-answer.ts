import { isHookwrightError } from "@hookwright/domain";
import type { HookwrightError } from "@hookwright/domain";
import { ApiError } from "../api-error.ts";
import { BodyMemoryError } from "../request/body-memory-error.ts";
import { BodyTooLargeError } from "../request/body-too-large-error.ts";
import { ClientGoneError } from "../request/client-gone-error.ts";
import { failure } from "./answer.ts";
import type { Answer } from "./answer.ts";

const unavailableRetrySeconds = 1;
const bodyMemoryRetrySeconds = 5;

export interface ErrorAnswer {
  readonly answer: Answer;
  readonly isLogged: boolean;
  /** The code of the log line. @default "request_failed" */
  readonly code?: "body_memory_full";
}

/** The response to an error, and whether it must be logged. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof BodyMemoryError) {
    const answer = { ...unavailable(bodyMemoryRetrySeconds), closesConnection: true };
    return { answer, isLogged: true, code: "body_memory_full" };
  }
  if (error instanceof BodyTooLargeError) {
    return { answer: { ...refusal(error), closesConnection: true }, isLogged: false };
  }
  if (error instanceof ClientGoneError) {
    return { answer: failure(400, "validation_failed", "body: ended early"), isLogged: false };
  }
  if (isHookwrightError(error) && error.status < 500) return { answer: refusal(error), isLogged: false };
  if (isHookwrightError(error) && error.status === 503) {
    return { answer: unavailable(error.retryAfterSeconds ?? unavailableRetrySeconds), isLogged: true };
  }
  if (isStorageAway(error)) return { answer: unavailable(unavailableRetrySeconds), isLogged: true };
  // A mistake of the embedding program. The message says what to change, so it is sent.
  if (error instanceof ApiError)
    return { answer: failure(500, "internal_error", error.message), isLogged: true };
  return { answer: failure(500, "internal_error", "Something failed inside the service."), isLogged: true };
}

function refusal({ status, code, message, retryAfterSeconds }: HookwrightError): Answer {
  return failure(status, code, message, {
    // RFC 9110, section 11.6.1: every 401 names a scheme.
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(retryAfterSeconds === undefined
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
  });
}

function unavailable(retryAfterSeconds: number): Answer {
  return away("The service is not available right now. Try again shortly.", retryAfterSeconds);
}

/** @param problem a sentence for the public */
export function notReady(problem: string): Answer {
  return away(problem, unavailableRetrySeconds);
}

function away(message: string, retryAfterSeconds: number): Answer {
  return failure(503, "internal_error", message, {
    "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))),
  });
}

const longestCauseChain = 8;
const awayCodes: ReadonlySet<unknown> = new Set(["unavailable", "closed", "in_use"]);

/** By the code, not by the class: the API does not import the storage, and the service may have wrapped the error. */
function isStorageAway(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < longestCauseChain && current instanceof Error; depth += 1) {
    if ("code" in current && awayCodes.has(current.code)) return true;
    current = current.cause;
  }
  return false;
}
