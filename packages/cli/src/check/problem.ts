/** A reason why a signature does not verify. */
export interface Problem {
  /** A stable name, such as `body_changed`. */
  readonly problem: string;
  /** The reason and what to do, in sentences. */
  readonly message: string;
}
