import type { RequestBucket, RequestCounts } from "@hookwright/domain";
import { useTimeZone } from "../state/use-time-zone.ts";
import { Chart } from "./chart.tsx";
import { formatBucket } from "./format-bucket.ts";
import { formatCount, maximumCount, niceEnd } from "./scales.ts";
import { StackedBars, totalOf } from "./stacked-bars.tsx";

/** Errors stand on the base line, so that a few of them stay visible. */
const layers = [
  ["server_error", "bad"],
  ["client_error", "warn"],
  ["ok", "good"],
] as const;

const legend = [
  ["2xx", "good"],
  ["4xx", "warn"],
  ["5xx", "bad"],
] as const;

const columns = [
  ["2xx", ({ ok }: RequestBucket) => formatCount(ok)],
  ["4xx", ({ client_error }: RequestBucket) => formatCount(client_error)],
  ["5xx", ({ server_error }: RequestBucket) => formatCount(server_error)],
] as const;

export interface RequestsChartProps {
  readonly counts: Pick<RequestCounts, "all">;
  readonly series: readonly RequestBucket[];
  readonly stepSeconds: number;
  /** Such as "the last 24 hours". */
  readonly period: string;
  readonly onChoose: (since: string, until: string) => void;
}

/** What the API answered, over time. */
export function RequestsChart(props: RequestsChartProps) {
  const { series, stepSeconds, onChoose } = props;
  const timeZone = useTimeZone();
  const end = niceEnd(Math.max(...series.map((bucket) => totalOf(bucket, layers))));
  return (
    <Chart
      title="Requests"
      caption={describe(props, timeZone)}
      buckets={series}
      stepSeconds={stepSeconds}
      axis={["0", formatCount(end)]}
      columns={columns}
      legend={legend}
      onChoose={onChoose}
    >
      {(chosen) => <StackedBars series={series} layers={layers} end={end} chosen={chosen} />}
    </Chart>
  );
}

/** Of more requests, the API counts the newest. */
function describe(
  { counts: { all }, series, stepSeconds, period }: RequestsChartProps,
  timeZone: string | undefined,
): string {
  if (all === 0) return `No requests in ${period}.`;
  const requests = `${all >= maximumCount ? "The newest " : ""}${formatCount(all)} ${all === 1 ? "request" : "requests"} of ${period}`;
  const errors = series.reduce((sum, bucket) => sum + errorsOf(bucket), 0);
  if (errors === 0) return `${requests}, without an error.`;
  const worst = series.reduce((before, each) => (errorsOf(each) > errorsOf(before) ? each : before));
  return `${requests}: ${formatCount(errors)} with an error, most at ${formatBucket(worst.at, stepSeconds, timeZone)}.`;
}

function errorsOf({ client_error, server_error }: RequestBucket): number {
  return client_error + server_error;
}
