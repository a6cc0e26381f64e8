import { ApiError } from "../api-error.ts";

/** Something in front of this app has eaten the body: it cannot be read a second time. */
export function bodyAlreadyRead(): ApiError {
  return new ApiError(
    "body_already_read",
    "The request body was read before it reached this API. Mount the API ahead of body parsers such as express.json().",
  );
}
