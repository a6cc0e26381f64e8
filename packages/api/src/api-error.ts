/**
 * The mistakes of an embedding program:
 *
 * - `body_already_read`: other code read the request's body before this app did.
 * - `invalid_base_path`: `basePath` does not begin with a slash.
 * - `invalid_host_token`: `hostToken` is not a valid list of tokens.
 * - `invalid_route`: two routes have the same method and path.
 */
export type ApiErrorCode =
  | "body_already_read"
  | "invalid_base_path"
  | "invalid_host_token"
  | "invalid_public_url"
  | "invalid_route";

/** A mistake in the program that mounts the API. Errors in client requests are `HookwrightError`s. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
