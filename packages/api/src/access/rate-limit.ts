import { HookwrightError } from "@hookwright/domain";
import type { Route } from "../routing/route.ts";

/** The result of one more request of an account. */
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

/** A limiter that also says whether it would refuse a request, without counting one. */
export interface ForeseeingRateLimiter extends RateLimiter {
  findRefusal(accountId: string): Promise<RateLimitVerdict | undefined>;
}

export interface RateLimiters {
  /** Requests to `/v1`. @default no limit */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Requests to the console API. @default no limit */
  readonly consoleRateLimiter?: ForeseeingRateLimiter | undefined;
  /** Requests that send a delivery: resends and tests. @default no limit */
  readonly sendRateLimiter?: RateLimiter | undefined;
}

export interface RateLimitResult {
  /** `RateLimit-Policy` and `RateLimit`. Empty if nothing was counted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The error to answer if a limit refuses the request. */
  readonly refusal: HookwrightError | undefined;
}

interface NamedVerdict {
  /** The name of the policy in the headers. */
  readonly name: keyof typeof counted;
  readonly verdict: RateLimitVerdict;
}

/** What each limit counts, for the message of a refusal. */
const counted = {
  default: "requests",
  console: "requests to the console API",
  sends: "resends and tests",
} as const;

/**
 * Counts a request under the limits of its route. A request that one limit refuses counts for none, except that a send which
 * comes at the same time as others may count although the console limit then refuses it.
 */
export async function takeFromLimits(
  { rateLimiter, consoleRateLimiter, sendRateLimiter }: RateLimiters,
  { access, sends }: Pick<Route, "access" | "sends">,
  accountId: string,
): Promise<RateLimitResult> {
  const verdicts: NamedVerdict[] = [];
  if (access === "account" && rateLimiter !== undefined)
    verdicts.push({ name: "default", verdict: await rateLimiter.take(accountId) });
  if (sends === true && sendRateLimiter !== undefined) {
    const full = await consoleRateLimiter?.findRefusal(accountId);
    if (full !== undefined) return toResult([{ name: "console", verdict: full }]);
    const verdict = await sendRateLimiter.take(accountId);
    verdicts.push({ name: "sends", verdict });
    if (!verdict.allowed) return toResult(verdicts);
  }
  if (access === "console" && consoleRateLimiter !== undefined)
    verdicts.unshift({ name: "console", verdict: await consoleRateLimiter.take(accountId) });
  return toResult(verdicts);
}

function toResult(verdicts: readonly NamedVerdict[]): RateLimitResult {
  const refused = verdicts.find(({ verdict }) => !verdict.allowed);
  return { headers: toRateLimitHeaders(verdicts), refusal: refused && rateLimited(refused) };
}

/** `RateLimit-Policy` and `RateLimit`, as draft-ietf-httpapi-ratelimit-headers-10 has them: one item for each limit. */
function toRateLimitHeaders(verdicts: readonly NamedVerdict[]): Record<string, string> {
  if (verdicts.length === 0) return {};
  const policies = verdicts.map(({ name, verdict: { limit } }) => `"${name}";q=${limit};w=60`);
  const states = verdicts.map(
    ({ name, verdict: { remaining, resetSeconds } }) =>
      `"${name}";r=${Math.max(0, remaining)};t=${Math.max(0, Math.ceil(resetSeconds))}`,
  );
  return { "ratelimit-policy": policies.join(", "), ratelimit: states.join(", ") };
}

function rateLimited({ name, verdict: { limit, retryAfterSeconds } }: NamedVerdict): HookwrightError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new HookwrightError(
    "rate_limited",
    `More than ${limit} ${counted[name]} in a minute. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: seconds },
  );
}
