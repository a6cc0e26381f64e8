/** A request that was refused or did not come through, with what to tell the reader. */
export class ApiFailure extends Error {
  /** The API's error code; `unreachable` where no answer came, `unreadable` where it was none of the API's. */
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  constructor(
    code: string,
    message: string,
    {
      retryAfterSeconds,
      cause,
    }: { readonly retryAfterSeconds?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = "ApiFailure";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function toApiFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  return new ApiFailure("unexpected", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
