import type { Overview } from "@hookwright/domain";
import { Chart } from "./chart.tsx";
import { formatBucket } from "./format-bucket.ts";
import { formatCount, niceEnd } from "./scales.ts";
import { StackedBars, totalOf } from "./stacked-bars.tsx";
import { useTimeZone } from "../state/use-time-zone.ts";

type Bucket = Overview["series"][number];

/** Failed deliveries stand on the base line, so that a few of them stay visible. */
const layers = [
  ["failed", "bad"],
  ["cancelled", "idle"],
  ["delivered", "good"],
] as const;

const legend = [
  ["Delivered", "good"],
  ["Cancelled", "idle"],
  ["Failed", "bad"],
] as const;

const columns = [
  ["delivered", ({ delivered }: Bucket) => formatCount(delivered)],
  ["failed", ({ failed }: Bucket) => formatCount(failed)],
  ["cancelled", ({ cancelled }: Bucket) => formatCount(cancelled)],
] as const;

export interface DeliveriesChartProps {
  readonly overview: Overview;
  readonly onChoose?: (since: string, until: string) => void;
}

/** How deliveries ended, over time. */
export function DeliveriesChart({ overview, onChoose }: DeliveriesChartProps) {
  const { series, step_seconds } = overview;
  const timeZone = useTimeZone();
  const end = niceEnd(Math.max(...series.map((bucket) => totalOf(bucket, layers))));
  return (
    <Chart
      title="Deliveries"
      caption={describe(overview, timeZone)}
      buckets={series}
      stepSeconds={step_seconds}
      axis={["0", formatCount(end / 2), formatCount(end)]}
      columns={columns}
      legend={legend}
      {...(onChoose === undefined ? {} : { onChoose })}
    >
      {(chosen) => <StackedBars series={series} layers={layers} end={end} chosen={chosen} />}
    </Chart>
  );
}

function describe({ totals, series, step_seconds }: Overview, timeZone: string | undefined): string {
  const { delivered, failed } = totals;
  if (delivered + failed + totals.cancelled === 0) return "No delivery ended in this period.";
  const worst = series.reduce<Bucket | undefined>(
    (before, each) => (each.failed > (before?.failed ?? 0) ? each : before),
    undefined,
  );
  const when = worst === undefined ? "" : `, most at ${formatBucket(worst.at, step_seconds, timeZone)}`;
  return `${formatCount(delivered)} delivered, ${formatCount(failed)} failed${when}.`;
}
