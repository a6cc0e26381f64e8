import { ApiError } from "../api-error.ts";

/** Other middleware has read the body, which can be read only once. */
export function bodyAlreadyRead(): ApiError {
  return new ApiError(
    "body_already_read",
    "The request body was read before it reached this API. Mount the API ahead of body parsers such as express.json().",
  );
}
