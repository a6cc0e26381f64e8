import { idsSince, overviewPeriods, toTimestamp } from "@hookwright/domain";
import type { OverviewPeriod, RequestBucket, RequestCounts } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";

interface CountedRequest {
  readonly status: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface RequestCountQuery {
  /** The prefix of the requests of an account. It is followed by their ids. */
  readonly prefix: Key;
  /** The id where the requests begin. */
  readonly since: string;
  /** The id before which they end. */
  readonly until: string | undefined;
  /** Only requests of the period that ends now, with their series. */
  readonly period: OverviewPeriod | undefined;
  readonly now: number;
  /** Undefined: the request is not counted. */
  readonly toCounted: (text: string) => CountedRequest | undefined;
}

/** As many as the log keeps by default. */
const maximumCounted = 10_000;

/** Counts the newest 10,000 requests by the class of their status. */
export async function countRequests(store: Store, query: RequestCountQuery): Promise<RequestCounts> {
  const { period, now, toCounted } = query;
  const buckets = period === undefined ? undefined : createBuckets(period, now);
  const counts = { all: 0, ok: 0, client_error: 0, server_error: 0, rate_limited: 0 };
  for await (const { value } of newestEntries(store, query, buckets?.from)) {
    const request = toCounted(value);
    if (request === undefined) continue;
    counts.all += 1;
    if (request.status === 429) counts.rate_limited += 1;
    const name = classOf(request.status);
    if (name === undefined) continue;
    counts[name] += 1;
    buckets?.add(name, request.createdAt);
  }
  return buckets === undefined
    ? counts
    : { ...counts, step_seconds: buckets.stepSeconds, series: buckets.series };
}

async function* newestEntries(
  store: Store,
  { prefix, since, until }: RequestCountQuery,
  from: number | undefined,
): AsyncGenerator<{ readonly value: string }> {
  const first = from === undefined ? since : idsSince("req", from);
  const after: Key = [...prefix, first > since ? first : since];
  const before: Key | undefined = until === undefined ? undefined : [...prefix, until];
  const pages = listPages(store, { prefix, reverse: true, after, before, maximum: maximumCounted });
  for await (const page of pages) yield* page;
}

type StatusClass = Exclude<keyof RequestBucket, "at">;

function classOf(status: number): StatusClass | undefined {
  if (status >= 500) return "server_error";
  if (status >= 400) return "client_error";
  return status >= 200 && status < 300 ? "ok" : undefined;
}

/** The buckets of a period, aligned as those of the overview are. */
function createBuckets(period: OverviewPeriod, now: number) {
  const { stepSeconds, steps } = overviewPeriods[period];
  const stepMs = stepSeconds * 1_000;
  const from = (Math.floor(now / stepMs) - steps + 1) * stepMs;
  const series = Array.from({ length: steps }, (_, index) => ({
    at: toTimestamp(from + index * stepMs),
    ok: 0,
    client_error: 0,
    server_error: 0,
  }));
  return {
    stepSeconds,
    from,
    series,
    add(name: StatusClass, at: number): void {
      const bucket = series[Math.floor((at - from) / stepMs)];
      if (bucket !== undefined) bucket[name] += 1;
    },
  };
}
