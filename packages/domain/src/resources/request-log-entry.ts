/** A recent request with an API key. */
export interface RequestLogEntry {
  /** The value of `X-Request-Id`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Null for a success. */
  readonly error_code: string | null;
  readonly key_name: string;
  readonly duration_ms: number;
  readonly created_at: string;
}
