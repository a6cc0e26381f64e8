import { HookwrightError } from "@hookwright/domain";

/** What one more request of an account came to. */
export interface RateLimitVerdict {
  readonly allowed: boolean;
  /** Requests in a window of 60 s. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the whole of the limit is free again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; of use when this one is not. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Requests in a window of 60 s, for the OpenAPI document. @default not told there */
  readonly limit?: number | undefined;
  /** Counts a request, unless it is refused. */
  take(accountId: string): Promise<RateLimitVerdict>;
}

/** `RateLimit-Policy` and `RateLimit`, as draft-ietf-httpapi-ratelimit-headers-10 has them. */
export function toRateLimitHeaders({
  limit,
  remaining,
  resetSeconds,
}: RateLimitVerdict): Record<string, string> {
  return {
    "ratelimit-policy": `"default";q=${limit};w=60`,
    ratelimit: `"default";r=${Math.max(0, remaining)};t=${Math.max(0, Math.ceil(resetSeconds))}`,
  };
}

export function rateLimited({ limit, retryAfterSeconds }: RateLimitVerdict): HookwrightError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new HookwrightError(
    "rate_limited",
    `More than ${limit} requests in a minute. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: seconds },
  );
}
