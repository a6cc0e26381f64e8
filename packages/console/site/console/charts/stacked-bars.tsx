import type { Bucket } from "./chart.tsx";

/** The layers of a bar from the base line upwards: the name of a number in a bucket, and its style. */
export type Layers<Name extends string> = readonly (readonly [name: Name, style: string])[];

type Counted<Name extends string> = Bucket & Readonly<Record<Name, number>>;

export interface StackedBarsProps<Name extends string> {
  readonly series: readonly Counted<Name>[];
  readonly layers: Layers<Name>;
  /** The end of the vertical axis. */
  readonly end: number;
  /** The bucket under the pointer. */
  readonly chosen: number | undefined;
}

/** The bars of a chart over time, and its grid. A bucket without anything is a tick. */
export function StackedBars<Name extends string>({ series, layers, end, chosen }: StackedBarsProps<Name>) {
  const width = 100 / series.length;
  return (
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
          x={index * width}
          width={width}
          chosen={index === chosen}
        />
      ))}
    </>
  );
}

interface BarProps<Name extends string> {
  readonly bucket: Counted<Name>;
  readonly layers: Layers<Name>;
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
      {layers.map(([name, style]) => {
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
export function totalOf<Name extends string>(bucket: Counted<Name>, layers: Layers<Name>): number {
  return layers.reduce((sum, [name]) => sum + bucket[name], 0);
}
