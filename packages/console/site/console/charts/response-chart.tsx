import type { Overview } from "@hookwright/domain";
import { formatDuration, logPlace } from "../parts/format.ts";
import { Chart } from "./chart.tsx";

type Bucket = Overview["series"][number];

const text = (milliseconds: number | null): string =>
  milliseconds === null ? "–" : formatDuration(milliseconds);

const columns = [
  ["p50", ({ p50_ms }: Bucket) => text(p50_ms)],
  ["p95", ({ p95_ms }: Bucket) => text(p95_ms)],
] as const;

const legend = [
  ["p95", "p95"],
  ["p50", "p50"],
] as const;

/** How long receivers took to respond, on a logarithmic axis up to the time limit of an attempt. */
export function ResponseChart({ overview }: { readonly overview: Overview }) {
  const { series, step_seconds, totals } = overview;
  return (
    <Chart
      title="Response time of receivers"
      caption={
        totals.p95_ms === null
          ? "No attempt in this period."
          : `Half of the attempts took at most ${text(totals.p50_ms)}, 95 % at most ${text(totals.p95_ms)}.`
      }
      buckets={series}
      stepSeconds={step_seconds}
      axis={["1 ms", "10 ms", "100 ms", "1 s", "10 s"]}
      columns={columns}
      legend={legend}
    >
      {(chosen) => (
        <>
          {[0, 0.25, 0.5, 0.75, 1].map((place) => (
            <line key={place} class="grid" x1="0" x2="100%" y1={`${place * 100}%`} y2={`${place * 100}%`} />
          ))}
          <Line series={series} name="p95_ms" style="p95" chosen={chosen} />
          <Line series={series} name="p50_ms" style="p50" chosen={chosen} />
        </>
      )}
    </Chart>
  );
}

interface LineProps {
  readonly series: readonly Bucket[];
  readonly name: "p50_ms" | "p95_ms";
  readonly style: string;
  readonly chosen: number | undefined;
}

/** A line with a gap for each bucket without an attempt. A bucket without neighbours is a dot. */
function Line({ series, name, style, chosen }: LineProps) {
  const heightOf = (index: number): number | undefined => {
    const value = series[index]?.[name];
    return value === null || value === undefined ? undefined : 100 - logPlace(value) * 100;
  };
  const middle = (index: number): number => ((index + 0.5) / series.length) * 100;
  return (
    <g class={style}>
      {series.map(({ at }, index) => {
        const height = heightOf(index);
        if (height === undefined) return null;
        const next = heightOf(index + 1);
        const isAlone = next === undefined && heightOf(index - 1) === undefined;
        return (
          <g key={at}>
            {next === undefined ? null : (
              <line x1={`${middle(index)}%`} y1={`${height}%`} x2={`${middle(index + 1)}%`} y2={`${next}%`} />
            )}
            {isAlone || index === chosen ? (
              <circle cx={`${middle(index)}%`} cy={`${height}%`} r={index === chosen ? 3.5 : 2} />
            ) : null}
          </g>
        );
      })}
    </g>
  );
}
