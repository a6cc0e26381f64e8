import { ClientError } from "../client-error.ts";
import type { ClientErrorDetails } from "../client-error.ts";
import type { ClientErrorCode } from "../error-codes.ts";
import type { Operation } from "../operations.ts";

/** `GET /v1/orders/{id}`: names no record and no person, so it may go into any log. */
export function nameOperation({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The error of one operation, which says what to do where a change may have been made all the same. */
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
