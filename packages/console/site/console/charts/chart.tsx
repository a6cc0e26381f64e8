import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { formatCount } from "../parts/format.ts";
import { useTimeZone } from "../parts/time.tsx";

export interface Bucket {
  /** When it begins. */
  readonly at: string;
}

export interface LegendEntry {
  readonly name: string;
  readonly style: string;
  /** A number, and the address of what it counts. */
  readonly count?: string;
  readonly href?: string;
}

/** A narrow plot below the chart, with a scale of its own. */
export interface Strip {
  readonly title: string;
  readonly style: string;
  readonly values: readonly number[];
}

export interface ChartProps<Each extends Bucket> {
  /** What the chart shows. */
  readonly title: string;
  /** A sentence with the most important numbers. */
  readonly caption: string;
  readonly buckets: readonly Each[];
  readonly stepSeconds: number;
  /** The marks, in an SVG of 100 % width. @param chosen the bucket under the pointer */
  readonly children: (chosen: number | undefined) => ComponentChildren;
  /** The labels of the vertical axis, from the bottom to the top. */
  readonly axis: readonly string[];
  /** The numbers of a bucket, as columns of the table. */
  readonly columns: readonly (readonly [name: string, valueOf: (bucket: Each) => string])[];
  readonly legend?: readonly LegendEntry[];
  readonly strip?: Strip | undefined;
  /** Shows the deliveries of some buckets. */
  readonly onChoose?: (since: string, until: string) => void;
}

/**
 * The frame of a chart over time: title, caption, axes, and a table with the same numbers. The pointer, a drag and the
 * arrow keys choose buckets.
 */
export function Chart<Each extends Bucket>({
  title,
  caption,
  buckets,
  stepSeconds,
  children,
  axis,
  columns,
  legend = [],
  strip,
  onChoose,
}: ChartProps<Each>) {
  const timeZone = useTimeZone();
  const [chosen, setChosen] = useState<number>();
  const [from, setFrom] = useState<number>();
  const plot = useRef<HTMLDivElement>(null);
  const bucket = chosen === undefined ? undefined : buckets[chosen];
  const describe = (each: Each): string =>
    [
      formatBucket(each.at, stepSeconds, timeZone),
      ...columns.map(([name, valueOf]) => `${valueOf(each)} ${name}`),
    ].join(" · ");

  function bucketAt({ clientX }: PointerEvent): number {
    const { left = 0, width = 1 } = plot.current?.getBoundingClientRect() ?? {};
    return limit(Math.floor(((clientX - left) / width) * buckets.length));
  }
  const limit = (index: number): number => Math.max(0, Math.min(buckets.length - 1, index));

  function choose(first: number, last: number): void {
    const [since, until] = [buckets[Math.min(first, last)], buckets[Math.max(first, last)]];
    if (onChoose === undefined || since === undefined || until === undefined) return;
    const end = new Date(Date.parse(until.at) + stepSeconds * 1_000).toISOString();
    onChoose(since.at, end.replace(".000Z", "Z"));
  }

  function onKey(event: KeyboardEvent): void {
    const current = chosen ?? buckets.length;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: buckets.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) setChosen(limit(next));
    else if (event.key === "Enter" && chosen !== undefined) choose(chosen, chosen);
    else return;
    event.preventDefault();
  }

  const selection =
    from === undefined || chosen === undefined
      ? undefined
      : [Math.min(from, chosen), Math.abs(chosen - from) + 1];
  return (
    <figure class="chart">
      <div class="chart-head">
        <h2>{title}</h2>
        <ul class="legend" aria-label={`${title}: what is shown`}>
          {legend.map(({ name, style, count, href }) => (
            <li key={name} class={style}>
              {href === undefined ? name : <a href={href}>{name}</a>} {count}
            </li>
          ))}
        </ul>
      </div>
      <figcaption>{bucket === undefined ? caption : describe(bucket)}</figcaption>
      <div class="plot">
        <div class="axis" aria-hidden="true">
          {axis.toReversed().map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <div
          ref={plot}
          class="marks"
          role="slider"
          tabIndex={0}
          aria-label={`${title}: one bucket`}
          aria-valuemin={1}
          aria-valuemax={buckets.length}
          aria-valuenow={(chosen ?? buckets.length - 1) + 1}
          aria-valuetext={bucket === undefined ? caption : describe(bucket)}
          onKeyDown={onKey}
          onPointerMove={(event) => setChosen(bucketAt(event))}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setFrom(bucketAt(event));
          }}
          onPointerUp={(event) => {
            if (from !== undefined) choose(from, bucketAt(event));
            setFrom(undefined);
          }}
          onPointerCancel={() => setFrom(undefined)}
          onPointerLeave={() => {
            if (from === undefined) setChosen(undefined);
          }}
          onBlur={() => setChosen(undefined)}
        >
          <svg width="100%" height="100%" aria-hidden="true">
            {selection === undefined ? null : (
              <rect
                class="selection"
                x={`${((selection[0] ?? 0) / buckets.length) * 100}%`}
                width={`${((selection[1] ?? 0) / buckets.length) * 100}%`}
                y="0"
                height="100%"
              />
            )}
            {children(chosen)}
          </svg>
        </div>
        {strip === undefined ? null : <StripPlot strip={strip} chosen={chosen} />}
        <div class="ticks" aria-hidden="true">
          {[0, 1, 2, 3].map((quarter) => {
            const tick = buckets[Math.floor((buckets.length * quarter) / 4)];
            return (
              <span key={quarter}>
                {tick === undefined ? "" : formatTick(tick.at, stepSeconds, timeZone)}
              </span>
            );
          })}
          <span>{describeEnd(buckets.at(-1), stepSeconds, timeZone)}</span>
        </div>
      </div>
      <NumberTable title={title} buckets={buckets} columns={columns} stepSeconds={stepSeconds} />
    </figure>
  );
}

function describeEnd(last: Bucket | undefined, stepSeconds: number, timeZone: string | undefined): string {
  const end = last === undefined ? Number.POSITIVE_INFINITY : Date.parse(last.at) + stepSeconds * 1_000;
  return end > Date.now() ? "now" : formatTick(new Date(end).toISOString(), stepSeconds, timeZone);
}

/** Bars from 0 to their maximum, which stands beside them. The table has the same numbers. */
function StripPlot({ strip: { title, style, values }, chosen }: StripPlotProps) {
  const most = Math.max(...values);
  return (
    <>
      <span class={`strip-axis ${style}`} aria-hidden="true" title={title}>
        {formatCount(most)}
      </span>
      <svg class={`strip-plot ${style}`} width="100%" height="100%" aria-hidden="true">
        {values.map((value, index) =>
          value === 0 ? null : (
            <rect
              key={index}
              class={index === chosen ? "chosen" : undefined}
              x={`${((index + 0.12) * 100) / values.length}%`}
              width={`${76 / values.length}%`}
              y={`${100 - Math.max(12, (value / most) * 100)}%`}
              height={`${Math.max(12, (value / most) * 100)}%`}
            />
          ),
        )}
      </svg>
    </>
  );
}

interface StripPlotProps {
  readonly strip: Strip;
  readonly chosen: number | undefined;
}

function NumberTable<Each extends Bucket>({
  title,
  buckets,
  columns,
  stepSeconds,
}: Pick<ChartProps<Each>, "title" | "buckets" | "columns" | "stepSeconds">) {
  const timeZone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>View as table</summary>
      {isOpen ? (
        <div class="table numbers" role="region" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {columns.map(([name]) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {buckets.toReversed().map((bucket) => (
                <tr key={bucket.at}>
                  <td>{formatBucket(bucket.at, stepSeconds, timeZone)}</td>
                  {columns.map(([name, valueOf]) => (
                    <td key={name}>{valueOf(bucket)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  );
}

const day = 86_400;

/** The time span of a bucket. @example formatBucket("2026-11-27T14:15:00Z", 900, "UTC") // "27 Nov, 14:15–14:30" */
export function formatBucket(at: string, stepSeconds: number, timeZone: string | undefined): string {
  const start = new Date(at);
  const end = new Date(start.getTime() + stepSeconds * 1_000);
  const date = format(start, { day: "numeric", month: "short" }, timeZone);
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  return `${date}, ${format(start, time, timeZone)}–${format(end, time, timeZone)}`;
}

/** The label of the horizontal axis: a time for short steps, a date for long ones. */
export function formatTick(at: string, stepSeconds: number, timeZone: string | undefined): string {
  const isLong = stepSeconds * 100 > day * 2;
  return format(
    new Date(at),
    isLong ? { day: "numeric", month: "short" } : { hour: "2-digit", minute: "2-digit" },
    timeZone,
  );
}

function format(date: Date, parts: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat("en-GB", {
    ...parts,
    timeZone,
  }).format(date);
}
