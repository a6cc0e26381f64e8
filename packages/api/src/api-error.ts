/**
 * What an embedding program did wrong:
 *
 * - `body_already_read`: the request's body was read before it reached this app.
 * - `invalid_base_path`: `basePath` does not begin with a slash.
 * - `invalid_route`: two routes claim the same method and path.
 */
export type ApiErrorCode = "body_already_read" | "invalid_base_path" | "invalid_route";

/** A mistake in the program that mounts the API. What clients send is refused with a `HookwrightError`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
