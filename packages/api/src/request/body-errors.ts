import { HookwrightError } from "@hookwright/domain";
import { ApiError } from "../api-error.ts";

/** A body that is longer than its route permits. Most of it may still be on its way. */
export class BodyTooLargeError extends HookwrightError {
  constructor(limitBytes: number) {
    super("validation_failed", `body: must be at most ${limitBytes} bytes long`, { status: 413 });
  }
}

/** The memory for request bodies is full. The client may try again; most of its body may still be on its way. */
export class BodyMemoryError extends Error {
  override readonly name = "BodyMemoryError";
}

/** The client disconnected before its request was complete. It is not an error of the server. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

/** Creates the error for a body that other middleware has read. A body can be read only once. */
export function bodyAlreadyRead(): ApiError {
  return new ApiError(
    "body_already_read",
    "The request body was read before it reached this API. Mount the API before body parsers such as express.json().",
  );
}
