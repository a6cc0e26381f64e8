/** A request that was refused or did not come through, with what to tell the reader. */
export class ApiFailure extends Error {
  /** The API's error code; `unreachable` where no answer came, `unreadable` where it was none of the API's. */
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
