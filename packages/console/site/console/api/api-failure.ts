/** A failed request, with a message for the user. */
export class ApiFailure extends Error {
  /**
   * The error code of the API, `unreachable` without a response, or `unreadable` for a response that is not the API's.
   */
  readonly code: string;
  constructor(code: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "ApiFailure";
    this.code = code;
  }
}

export function toApiFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiFailure("unexpected", message, { cause: error });
}
