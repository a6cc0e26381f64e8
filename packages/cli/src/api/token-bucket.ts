export interface TokenBucket {
  /** Takes a token if there is one. */
  take(): boolean;
  /** Milliseconds until there is a token. 0 if there is one. */
  msUntilToken(): number;
}

export interface TokenBucketOptions {
  /** Tokens at the start, and at most. */
  readonly capacity: number;
  /** A token is added after each such time. */
  readonly refillMs: number;
  /** Milliseconds since any point in time. */
  readonly now: () => number;
}

/**
 * Limits requests to `capacity + 60_000 / refillMs` in any minute. The server allows an account 200, which all its
 * programs share.
 *
 * @example
 * const bucket = createTokenBucket({ capacity: 6, refillMs: 2_500, now: Date.now }); // 30 in any minute
 */
export function createTokenBucket({ capacity, refillMs, now }: TokenBucketOptions): TokenBucket {
  let tokens = capacity;
  let filledAt = now();
  const refill = (): void => {
    // After the clock was set back, the time starts again.
    if (now() < filledAt) filledAt = now();
    const fresh = Math.floor((now() - filledAt) / refillMs);
    tokens = Math.min(capacity, tokens + fresh);
    filledAt = tokens === capacity ? now() : filledAt + fresh * refillMs;
  };
  return {
    take() {
      refill();
      if (tokens === 0) return false;
      tokens -= 1;
      return true;
    },
    msUntilToken() {
      refill();
      return tokens > 0 ? 0 : filledAt + refillMs - now();
    },
  };
}
