/** The rate limit of an account. Reading it counts as no request. */
export interface RateLimit {
  /** Requests to `/v1` in any 60 seconds, over all keys. Null: no limit. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Whole seconds until all requests are left again, without further ones. */
  readonly reset_seconds: number | null;
}
