import type { Overview } from "@hookwright/domain";
import { Chart } from "./chart.tsx";
import { formatBucket } from "./format-bucket.ts";
import { formatCount, niceEnd } from "./scales.ts";
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
  const end = niceEnd(Math.max(...series.map(totalOf)));
  const width = 100 / series.length;
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
      {(chosen) => (
        <>
          {[0, 0.5, 1].map((place) => (
            <line key={place} class="grid" x1="0" x2="100%" y1={`${place * 100}%`} y2={`${place * 100}%`} />
          ))}
          {series.map((bucket, index) => (
            <Bar
              key={bucket.at}
              bucket={bucket}
              end={end}
              x={index * width}
              width={width}
              chosen={index === chosen}
            />
          ))}
        </>
      )}
    </Chart>
  );
}

interface BarProps {
  readonly bucket: Bucket;
  readonly end: number;
  /** In percent. */
  readonly x: number;
  readonly width: number;
  readonly chosen: boolean;
}

function Bar({ bucket, end, x, width, chosen }: BarProps) {
  const place = { x: `${x + width * 0.12}%`, width: `${width * 0.76}%` };
  let top = 100;
  return (
    <g class={chosen ? "bar chosen" : "bar"}>
      {chosen ? <rect class="hover" x={`${x}%`} width={`${width}%`} y="0" height="100%" /> : null}
      {totalOf(bucket) === 0 ? <rect class="tick" {...place} y="99%" height="1%" /> : null}
      {layers.map(([name, style]) => {
        const value = bucket[name];
        if (value === 0) return null;
        // A single failure among many must stay visible.
        const height = Math.max(1.5, (value / end) * 100);
        top -= height;
        return <rect key={name} class={style} {...place} y={`${Math.max(0, top)}%`} height={`${height}%`} />;
      })}
    </g>
  );
}

function totalOf({ delivered, failed, cancelled }: Bucket): number {
  return delivered + failed + cancelled;
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
