import { HookwrightError } from "@hookwright/domain";
import type { HostAccount } from "@hookwright/domain";
import type { RateLimiters, RateLimitVerdict } from "../routing/rate-limiter.ts";
import type { Route } from "../routing/route.ts";

export interface RateLimitResult {
  /** `RateLimit-Policy` and `RateLimit`. Empty if no limit applies. */
  readonly headers: Readonly<Record<string, string>>;
  /** The error to return if a limit refuses the request. */
  readonly refusal: HookwrightError | undefined;
}

interface NamedState {
  /** The name of the policy in the headers. */
  readonly name: keyof typeof countedRequests;
  readonly verdict: Pick<RateLimitVerdict, "limit" | "remaining" | "resetSeconds">;
}

interface NamedVerdict extends NamedState {
  readonly verdict: RateLimitVerdict;
}

/** An account with the limits that the host has set for it. */
type LimitedAccount = Pick<HostAccount, "id" | "limits">;

/** What each limit counts, for the error message. */
const countedRequests = {
  default: "requests",
  console: "requests to the console API",
  sends: "resends and tests",
} as const;

/**
 * Counts a request under the limits of its route. A request that one limit refuses does not count for the others. One
 * exception: of concurrent sends, some may count although the console limit then refuses them.
 */
export async function takeFromLimits(
  limiters: RateLimiters,
  { access, sends }: Pick<Route, "access" | "sends">,
  { id: accountId, limits: own }: LimitedAccount,
): Promise<RateLimitResult> {
  const verdicts: NamedVerdict[] = [];
  if (access === "account" && limiters.requests !== undefined) {
    const verdict = await limiters.requests.take(accountId, own.requests_per_minute);
    verdicts.push({ name: "default", verdict });
    if (!verdict.allowed) return toResult(verdicts);
  }
  if (sends === true && limiters.sends !== undefined) {
    const full =
      access === "console"
        ? await limiters.console?.findRefusal(accountId, own.console_requests_per_minute)
        : undefined;
    if (full !== undefined) return toResult([{ name: "console", verdict: full }]);
    const verdict = await limiters.sends.take(accountId, own.sends_per_minute);
    verdicts.push({ name: "sends", verdict });
    if (!verdict.allowed) return toResult(verdicts);
  }
  if (access === "console" && limiters.console !== undefined)
    verdicts.unshift({
      name: "console",
      verdict: await limiters.console.take(accountId, own.console_requests_per_minute),
    });
  return toResult(verdicts);
}

/** Counts a request that turns out to send. Its other limits have counted it. */
export async function takeSend(
  { sends }: RateLimiters,
  { id: accountId, limits: own }: LimitedAccount,
): Promise<RateLimitResult> {
  if (sends === undefined) return toResult([]);
  return toResult([{ name: "sends", verdict: await sends.take(accountId, own.sends_per_minute) }]);
}

/** For a request that counts for no account, such as one without a key: the limit of the server, as if nothing were used. */
export function describeWholeLimit({ requests }: RateLimiters): Record<string, string> {
  const limit = requests?.limit;
  return limit === undefined
    ? {}
    : toRateLimitHeaders([{ name: "default", verdict: { limit, remaining: limit, resetSeconds: 0 } }]);
}

function toResult(verdicts: readonly NamedVerdict[]): RateLimitResult {
  const refused = verdicts.find(({ verdict }) => !verdict.allowed);
  return { headers: toRateLimitHeaders(verdicts), refusal: refused && rateLimited(refused) };
}

/** `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-10: one item per limit. */
function toRateLimitHeaders(verdicts: readonly NamedState[]): Record<string, string> {
  let policy = "";
  let state = "";
  for (const { name, verdict } of verdicts) {
    const separator = policy === "" ? "" : ", ";
    policy += `${separator}"${name}";q=${verdict.limit};w=60`;
    state += `${separator}"${name}";r=${Math.max(0, verdict.remaining)};t=${Math.max(0, Math.ceil(verdict.resetSeconds))}`;
  }
  return policy === "" ? {} : { "ratelimit-policy": policy, ratelimit: state };
}

function rateLimited({ name, verdict: { limit, retryAfterSeconds } }: NamedVerdict): HookwrightError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new HookwrightError(
    "rate_limited",
    `More than ${limit} ${countedRequests[name]} in a minute. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: seconds },
  );
}
