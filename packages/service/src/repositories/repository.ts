/** A value or a promise, because databases can be synchronous or asynchronous. */
export type Awaitable<Value> = Value | PromiseLike<Value>;

/**
 * The sort key of a row in its list, such as an auto-increment id. It must be unique in the list: a time in milliseconds alone is
 * not. The encrypted cursor contains it. It may have at most 500 bytes as JSON.
 */
export type ListPosition = readonly (string | number)[];

/** The last argument of every repository function. */
export interface RepositoryCall {
  /** Aborted after 4.5 s, when the client has received an error. Roll back what is not stored by then. */
  readonly signal: AbortSignal;
}

export interface ListPage {
  /** Return at most this many rows. It is one more than the page shows, to detect a next page. */
  readonly limit: number;
  /** Return only rows after this position. Undefined for the first page. */
  readonly after: ListPosition | undefined;
}

/** A row with its position in the list. */
export interface Listed<Row> {
  readonly position: ListPosition;
  readonly row: Row;
}

/**
 * - `invalid_answer`: the repository returned invalid data, such as a contact of another account.
 * - `unavailable`: the repository did not answer in time. Throw this error if your database is unavailable: clients then retry.
 */
export type RepositoryErrorCode = "invalid_answer" | "unavailable";

/** An error of the host's repository. Clients get 500, or 503 for `unavailable`, without details. */
export class RepositoryError extends Error {
  override readonly name = "RepositoryError";
  readonly code: RepositoryErrorCode;

  constructor(code: RepositoryErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
