import { countNotDelivered } from "@hookwright/domain";
import type { Ledger, RequestBucket, RequestCounts } from "@hookwright/domain";
import type { Query } from "../api/console-api.ts";
import { describeOutcomes } from "../parts/describe-outcomes.ts";
import { describeRetried, formatCount, maximumCount, niceEnd } from "../parts/format.ts";
import { useTimeZone } from "../parts/time.tsx";
import { hrefToRows, outcomes } from "../state/ledger.ts";
import type { Outcome } from "../state/ledger.ts";
import { Chart, formatBucket } from "./chart.tsx";
import type { Bucket, ChartProps, Strip } from "./chart.tsx";

/** The layers of a bar from the base line upwards: the name of a number in a bucket, its title, and its style. */
type Layers<Name extends string> = readonly (readonly [name: Name, title: string, style: string])[];

type Counted<Name extends string> = Bucket & Readonly<Record<Name, number>>;

/** What was not delivered stands on the base line, so that a little of it stays visible. */
const order: readonly Outcome[] = ["failed", "not_sent", "cancelled", "pending", "delivered"];
const deliveryLayers: Layers<Outcome> = order.flatMap((name) =>
  outcomes
    .filter((outcome) => outcome.name === name)
    .map(({ title, style }) => [name, title, style] as const),
);

export interface DeliveriesChartProps {
  readonly ledger: Ledger;
  /** The filters of its numbers, for their links. */
  readonly filters?: Query;
  /** Only this outcome is shown. @default all */
  readonly outcome?: Outcome | undefined;
  readonly onChoose: (since: string, until: string) => void;
}

/** What became of the events that were published in each step, and how many attempts were made again. */
export function DeliveriesChart({ ledger, filters = {}, outcome, onChoose }: DeliveriesChartProps) {
  const { series, step_seconds, totals } = ledger;
  const caption = describeDeliveries(ledger, useTimeZone());
  const layers = deliveryLayers.filter(([name]) => outcome === undefined || name === outcome);
  return (
    <StackedChart
      title="Deliveries"
      caption={caption}
      series={series}
      stepSeconds={step_seconds}
      layers={layers}
      columns={outcomes.map(({ name }) => name).filter((name) => layers.some(([each]) => each === name))}
      legend={outcomes.map(({ name, title, style }) => ({
        name: title,
        style,
        count: formatCount(totals[name]),
        href: hrefToRows(name, filters),
      }))}
      strip={
        totals.retried === 0 || outcome !== undefined
          ? undefined
          : { title: "Attempts after the first", style: "warn", values: series.map(({ retried }) => retried) }
      }
      axisParts={2}
      onChoose={onChoose}
    />
  );
}

function describeDeliveries({ totals, series, step_seconds }: Ledger, timeZone: string | undefined): string {
  const { due, retried } = totals;
  if (due === 0) return "No event in this period.";
  const worst = findWorst(series, countNotDelivered);
  return [
    `${formatCount(due)} due: ${describeOutcomes(totals)}`,
    ...(worst === undefined
      ? []
      : [`, most not delivered at ${formatBucket(worst.at, step_seconds, timeZone)}`]),
    ".",
    ...(retried === 0 ? [] : [` ${describeRetried(retried)}.`]),
  ].join("");
}

/** Errors stand on the base line, so that a few of them stay visible. */
const requestLayers = [
  ["server_error", "5xx", "bad"],
  ["client_error", "4xx", "warn"],
  ["ok", "2xx", "good"],
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
  return (
    <StackedChart
      title="Requests"
      caption={describeRequests(props, useTimeZone())}
      series={series}
      stepSeconds={stepSeconds}
      layers={requestLayers}
      columns={["ok", "client_error", "server_error"]}
      axisParts={1}
      onChoose={onChoose}
    />
  );
}

/** Of more requests, the API counts the newest. */
function describeRequests(
  { counts: { all }, series, stepSeconds, period }: RequestsChartProps,
  timeZone: string | undefined,
): string {
  if (all === 0) return `No requests in ${period}.`;
  const requests = `${all >= maximumCount ? "The newest " : ""}${formatCount(all)} ${all === 1 ? "request" : "requests"} of ${period}`;
  const errorsOf = ({ client_error, server_error }: RequestBucket): number => client_error + server_error;
  const worst = findWorst(series, errorsOf);
  if (worst === undefined) return `${requests}, without an error.`;
  const errors = series.reduce((sum, bucket) => sum + errorsOf(bucket), 0);
  return `${requests}: ${formatCount(errors)} with an error, most at ${formatBucket(worst.at, stepSeconds, timeZone)}.`;
}

/** The first bucket with the most errors. Undefined: none has any. */
function findWorst<Each extends Bucket>(
  series: readonly Each[],
  errorsOf: (bucket: Each) => number,
): Each | undefined {
  const most = Math.max(0, ...series.map(errorsOf));
  return most === 0 ? undefined : series.find((bucket) => errorsOf(bucket) === most);
}

interface StackedChartProps<Name extends string> extends Pick<
  ChartProps<Bucket>,
  "title" | "caption" | "stepSeconds" | "strip"
> {
  readonly series: readonly Counted<Name>[];
  readonly layers: Layers<Name>;
  /** The columns of the table. */
  readonly columns: readonly Name[];
  /** Into how many parts the labels divide the vertical axis. */
  readonly axisParts: 1 | 2;
  /** @default the layers */
  readonly legend?: ChartProps<Bucket>["legend"];
  readonly onChoose: (since: string, until: string) => void;
}

/** A bar for each bucket, and a grid. A bucket without anything is a tick. */
function StackedChart<Name extends string>(props: StackedChartProps<Name>) {
  const { series, layers, columns, axisParts, strip } = props;
  const legend = props.legend ?? layers.toReversed().map(([, name, style]) => ({ name, style }));
  const end = niceEnd(Math.max(...series.map((bucket) => totalOf(bucket, layers))));
  const titleOf = (name: Name): string => layers.find(([each]) => each === name)?.[1] ?? name;
  return (
    <Chart
      {...props}
      buckets={series}
      axis={Array.from({ length: axisParts + 1 }, (_, index) => formatCount((end / axisParts) * index))}
      columns={[
        ...columns.map((name): Column<Counted<Name>> => [
          titleOf(name).toLowerCase(),
          (bucket) => formatCount(bucket[name]),
        ]),
        ...(strip === undefined ? [] : [stripColumn<Counted<Name>>(strip, series)]),
      ]}
      legend={legend}
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
              layers={layers}
              end={end}
              x={(index * 100) / series.length}
              width={100 / series.length}
              chosen={index === chosen}
            />
          ))}
        </>
      )}
    </Chart>
  );
}

type Column<Each extends Bucket> = ChartProps<Each>["columns"][number];

function stripColumn<Each extends Bucket>({ title, values }: Strip, series: readonly Each[]): Column<Each> {
  return [title.toLowerCase(), (bucket) => formatCount(values[series.indexOf(bucket)] ?? 0)];
}

interface BarProps<Name extends string> {
  readonly bucket: Counted<Name>;
  readonly layers: Layers<Name>;
  /** The end of the vertical axis. */
  readonly end: number;
  /** In percent. */
  readonly x: number;
  readonly width: number;
  readonly chosen: boolean;
}

function Bar<Name extends string>({ bucket, layers, end, x, width, chosen }: BarProps<Name>) {
  const place = { x: `${x + width * 0.12}%`, width: `${width * 0.76}%` };
  let top = 100;
  return (
    <g class={chosen ? "bar chosen" : "bar"}>
      {chosen ? <rect class="hover" x={`${x}%`} width={`${width}%`} y="0" height="100%" /> : null}
      {totalOf(bucket, layers) === 0 ? <rect class="tick" {...place} y="99%" height="1%" /> : null}
      {layers.map(([name, , style]) => {
        const value: number = bucket[name];
        if (value === 0) return null;
        // A single failure among many must stay visible.
        const height = Math.max(1.5, (value / end) * 100);
        top -= height;
        return <rect key={name} class={style} {...place} y={`${Math.max(0, top)}%`} height={`${height}%`} />;
      })}
    </g>
  );
}

/** The height of a bar. */
function totalOf<Name extends string>(bucket: Counted<Name>, layers: Layers<Name>): number {
  return layers.reduce((sum, [name]) => sum + bucket[name], 0);
}
