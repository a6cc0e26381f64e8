import { formatMs } from "@hookwright/domain";
import type { Ledger, LedgerNumbers } from "@hookwright/domain";
import { logPlace } from "../parts/format.ts";
import { Chart } from "./chart.tsx";

type Bucket = Ledger["series"][number];

const text = (milliseconds: number | null): string => (milliseconds === null ? "–" : formatMs(milliseconds));

/** The lines, the slowest first, in the order of drawing. */
const lines = [
  ["max_ms", "longest"],
  ["p99_ms", "p99"],
  ["p95_ms", "p95"],
  ["p50_ms", "p50"],
] as const;
type Percentile = (typeof lines)[number][0];

const columns = lines
  .toReversed()
  .map(([name, title]) => [title, (bucket: Bucket) => text(bucket[name])] as const);
const legend = lines.map(([, name]) => ({ name, style: name }));

/** How long receivers took to respond, on a logarithmic axis up to the time limit of an attempt. */
export function ResponseChart({ ledger }: { readonly ledger: Ledger }) {
  const { series, step_seconds, totals } = ledger;
  return (
    <Chart
      title="Response time of receivers"
      caption={totals.p95_ms === null ? "No attempt in this period." : describe(totals)}
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
          {lines.map(([name, style]) => (
            <Line key={name} series={series} name={name} style={style} chosen={chosen} />
          ))}
        </>
      )}
    </Chart>
  );
}

function describe({ p50_ms, p95_ms, p99_ms, max_ms }: LedgerNumbers): string {
  return `Half of the attempts took at most ${text(p50_ms)}, 95 % at most ${text(p95_ms)}, 99 % at most ${text(p99_ms)}, the longest at most ${text(max_ms)}.`;
}

interface LineProps {
  readonly series: readonly Bucket[];
  readonly name: Percentile;
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
