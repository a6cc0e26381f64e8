/** The state of an account's limit after one more request. */
export interface RateLimitVerdict {
  readonly allowed: boolean;
  /** Requests in a window of 60 s. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the full limit is available again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed. Only meaningful if this request is refused. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /**
   * Requests in a window of 60 s, for the OpenAPI document and for answers that count for no account. @default in neither
   */
  readonly limit?: number | undefined;
  /** Counts a request, unless it is refused. `ownLimit` is the limit of the account. @default that of the server, also for null */
  take(accountId: string, ownLimit?: number | null): Promise<RateLimitVerdict>;
  /** What is left. Counts nothing. @default the console does not show it */
  read?(
    accountId: string,
    ownLimit?: number | null,
  ): Promise<Pick<RateLimitVerdict, "limit" | "remaining" | "resetSeconds">>;
}

/** A limiter that can also check a request without counting it. */
export interface ForeseeingRateLimiter extends RateLimiter {
  findRefusal(accountId: string, ownLimit?: number | null): Promise<RateLimitVerdict | undefined>;
}

export interface RateLimiters {
  /** Requests to `/v1` and to the developer API. @default no limit */
  readonly requests?: RateLimiter | undefined;
  /** Requests to the console API. @default no limit */
  readonly console?: ForeseeingRateLimiter | undefined;
  /** Requests that send a delivery: resends and tests. @default no limit */
  readonly sends?: RateLimiter | undefined;
}
