/** An answer at once, or a promise of one: databases are of both kinds. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Where a row stands in its list: whatever it is sorted by, such as `[created_at, id]`. It travels in a cursor, sealed. */
export type ListPosition = readonly (string | number)[];

export interface ListPage {
  /** At most so many rows: one more than are shown, to know whether there are more. */
  readonly limit: number;
  /** Only what stands behind this position. Undefined for the first page. */
  readonly after: ListPosition | undefined;
}

/** A row with its place in the list. No two rows of a list may have the same. */
export interface Listed<Row> {
  readonly position: ListPosition;
  readonly row: Row;
}

/**
 * What a repository of the host did wrong:
 *
 * - `invalid_answer`: it answered something that must not go out, such as a contact of another account.
 * - `unavailable`: it has not answered in time.
 */
export type RepositoryErrorCode = "invalid_answer" | "unavailable";

/** A fault of the program that keeps the data. Clients are told 500 or 503, and nothing of it. */
export class RepositoryError extends Error {
  override readonly name = "RepositoryError";
  readonly code: RepositoryErrorCode;

  constructor(code: RepositoryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
