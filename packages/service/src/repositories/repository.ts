/** An answer at once, or a promise of one: databases are of both kinds. */
export type Awaitable<Value> = Value | PromiseLike<Value>;

/**
 * Where a row stands in its list: whatever it is sorted by, such as the number that a database counts rows with. No two rows of a
 * list have the same, to the last digit: a time in milliseconds does not do where two rows may share one. It travels in a cursor, sealed;
 * as JSON it has at most 500 bytes.
 */
export type ListPosition = readonly (string | number)[];

/** What every function of a repository is handed last. */
export interface RepositoryCall {
  /** Aborted when nobody waits for the answer any more, which is after 4.5 s: what is not stored by then had better not be. */
  readonly signal: AbortSignal;
}

export interface ListPage {
  /** At most so many rows: one more than are shown, to know whether there are more. */
  readonly limit: number;
  /** Only what stands behind this position. Undefined for the first page. */
  readonly after: ListPosition | undefined;
}

/** A row with its place in the list. */
export interface Listed<Row> {
  readonly position: ListPosition;
  readonly row: Row;
}

/**
 * What a repository of the host did wrong:
 *
 * - `invalid_answer`: it answered something that must not go out, such as a contact of another account.
 * - `unavailable`: it has not answered in time. Throw one yourself where your database is away: clients are then told to come back.
 */
export type RepositoryErrorCode = "invalid_answer" | "unavailable";

/** A fault of the program that keeps the data. Clients are told 500 or, of what is unavailable, 503; and nothing of it. */
export class RepositoryError extends Error {
  override readonly name = "RepositoryError";
  readonly code: RepositoryErrorCode;

  constructor(code: RepositoryErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
