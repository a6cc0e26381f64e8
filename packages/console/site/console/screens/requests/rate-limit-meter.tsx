import type { RateLimit } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { formatCount } from "../../parts/format.ts";
import { Loading } from "../../parts/page.tsx";
import { hrefTo } from "../../state/route.ts";
import { useGet } from "../../state/use-api.ts";
import { useRefresh } from "../../state/use-live.ts";

/** How often what is left is read again. */
const readEveryMs = 5_000;
/** Less than this share left is shown as a warning. */
const lowShare = 0.25;

export interface RateLimitMeterProps {
  /** Requests that were refused in the period. Undefined: unknown. */
  readonly refused: number | undefined;
  /** Such as "the last 24 hours". */
  readonly period: string;
}

/** The rate limit of the account, and what is left of it now. */
export function RateLimitMeter({ refused = 0, period }: RateLimitMeterProps) {
  const { data, failure, refresh } = useGet<RateLimit>(toPath("rate-limit"));
  useRefresh(refresh, readEveryMs);
  // The list works without it.
  if (data === undefined && failure === undefined) return <Loading rem={8} />;
  if (data === undefined || data.limit === null) return null;
  const { limit, reset_seconds } = data;
  const remaining = data.remaining ?? limit;
  const share = remaining / limit;
  return (
    <section class="panel meter" aria-label="Rate limit">
      <h2>Rate limit</h2>
      <p>
        <strong class="value">{formatCount(remaining)}</strong>{" "}
        <span class="quiet">of {formatCount(limit)} requests left</span>
      </p>
      <svg class={`share ${toneOf(remaining, share)}`} width="100%" height="8" aria-hidden="true">
        <rect class="rest" width="100%" height="8" rx="4" />
        <rect width={`${share * 100}%`} height="8" rx="4" />
      </svg>
      <p class="quiet hint">
        {remaining < limit && reset_seconds !== null
          ? `Full again in ${reset_seconds} s.`
          : "In any 60 seconds, all keys together."}
      </p>
      {refused === 0 ? null : (
        <p>
          <a href={hrefTo(["requests"], { status: "429" })}>{formatCount(refused)} refused</a>{" "}
          <span class="quiet">in {period}</span>
        </p>
      )}
    </section>
  );
}

function toneOf(remaining: number, share: number): string {
  if (remaining === 0) return "bad";
  return share < lowShare ? "warn" : "good";
}
