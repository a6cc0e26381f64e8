import { Counter } from "@prometheus-io/client";
import type { CounterConfiguration } from "@prometheus-io/client";

type Labels<Label extends string> = Readonly<Record<Label, string | number>>;

/**
 * Adds a counter whose callers keep the series that they count in. They are plain numbers until the metrics are read, because the library
 * renders the labels of each value to find its series. A reset of the registry keeps what was counted since the metrics were last read.
 */
export function createSeriesCounter<Label extends string>(
  options: CounterConfiguration<string> & { readonly labelNames: readonly Label[] },
) {
  const opened: { readonly labels: Labels<Label>; count: number }[] = [];
  const counter: Counter<string> = new Counter<string>({
    ...options,
    collect() {
      for (const series of opened) {
        if (series.count > 0) counter.inc(series.labels, series.count);
        series.count = 0;
      }
    },
  });
  return {
    /** Returns a function that counts one more in the series of these labels. It is not shown before the first call. */
    open(labels: Labels<Label>): () => void {
      const series = { labels, count: 0 };
      opened.push(series);
      return () => void (series.count += 1);
    },
  };
}
