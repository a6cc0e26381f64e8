import type { Overview } from "@hookwright/domain";
import { countRetried, describeRetried, sumRetried } from "./count-retried.ts";
import { Chart } from "./chart.tsx";
import { formatBucket } from "./format-bucket.ts";
import { formatCount, niceEnd } from "./scales.ts";
import { StackedBars, totalOf } from "./stacked-bars.tsx";
import { useTimeZone } from "../state/use-time-zone.ts";

interface Bucket extends Counts {
  /** Attempts that failed and are retried. */
  readonly retried: number;
}

type Counts = Overview["series"][number];

/** Failed deliveries stand on the base line, then retried attempts, so that a few of them stay visible. */
const layers = [
  ["failed", "bad"],
  ["retried", "warn"],
  ["cancelled", "idle"],
  ["delivered", "good"],
] as const;

const legend = [
  ["Delivered", "good"],
  ["Cancelled", "idle"],
  ["Retried", "warn"],
  ["Failed", "bad"],
] as const;

const columns = [
  ["delivered", ({ delivered }: Bucket) => formatCount(delivered)],
  ["failed", ({ failed }: Bucket) => formatCount(failed)],
  ["retried", ({ retried }: Bucket) => formatCount(retried)],
  ["cancelled", ({ cancelled }: Bucket) => formatCount(cancelled)],
] as const;

export interface DeliveriesChartProps {
  readonly overview: Overview;
  readonly onChoose?: (since: string, until: string) => void;
}

/** How deliveries ended, and how many attempts were retried, over time. */
export function DeliveriesChart({ overview, onChoose }: DeliveriesChartProps) {
  const { step_seconds } = overview;
  const series = overview.series.map((bucket) => ({ ...bucket, retried: countRetried(bucket) }));
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
  const retried = sumRetried(series);
  if (delivered + failed + totals.cancelled + retried === 0) return "No delivery ended in this period.";
  const failuresIn = (bucket: Counts): number => (failed > 0 ? bucket.failed : countRetried(bucket));
  const worst = series.reduce<Counts | undefined>(
    (before, each) => (failuresIn(each) > (before === undefined ? 0 : failuresIn(before)) ? each : before),
    undefined,
  );
  const when = worst === undefined ? "" : `, most at ${formatBucket(worst.at, step_seconds, timeZone)}`;
  const ended = `${formatCount(delivered)} delivered, ${formatCount(failed)} failed`;
  if (retried === 0) return `${ended}${when}.`;
  return failed > 0
    ? `${ended}${when}. ${describeRetried(retried)}.`
    : `${ended}, ${describeRetried(retried)}${when}.`;
}
