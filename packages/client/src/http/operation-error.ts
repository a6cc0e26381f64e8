import { ClientError } from "../client-error.ts";
import type { ClientErrorDetails } from "../client-error.ts";
import type { ClientErrorCode } from "../error-codes.ts";
import type { Operation } from "../operations.ts";

/** Returns for example `GET /v1/orders/{id}`. It contains no personal data, so it may be logged. */
export function nameOperation({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Creates the error of an operation. Adds advice if the outcome is unknown. */
export function operationError(
  operation: Operation,
  code: ClientErrorCode,
  message: string,
  details: Omit<ClientErrorDetails, "operation">,
): ClientError {
  const outcomeUnknown = operation.method !== "GET" && details.outcomeUnknown === true;
  const whatToDo = outcomeUnknown ? operation.whenUnknown : undefined;
  return new ClientError(code, joinSentences(message, whatToDo), {
    ...details,
    operation: nameOperation(operation),
    outcomeUnknown,
  });
}

/** Messages of the API may come without a full stop. */
export function joinSentences(message: string, next: string | undefined): string {
  if (next === undefined || next === "") return message;
  return /[.!?]$/.test(message) ? `${message} ${next}` : `${message}. ${next}`;
}

/**
 * Returns whether a write may have been applied. A 4xx means that it was not. Without a response, with a 5xx,
 * or with an unreadable success, the outcome is unknown.
 */
export function isOutcomeUnknown(status: number | undefined, earlierUnknown: boolean): boolean {
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  return isRefusal ? earlierUnknown : true;
}
