import { Histogram } from "@prometheus-io/client";
import type { HistogramConfiguration } from "@prometheus-io/client";

type Labels<Label extends string> = Readonly<Record<Label, string>>;

interface Series<Label extends string> {
  readonly labels: Labels<Label>;
  /** The number of values in each bucket, then of those above all of them. */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram whose callers keep the series that they add to. The library itself renders the labels of each value to find its series,
 * which takes longer than everything else that a read of the store does.
 *
 * Only values added by `open` are shown, not those of `observe` and the other methods of the library. After a reset of the registry, a
 * series with labels is shown again from its next value on, and one without labels with zeros.
 */
export class SeriesHistogram<Label extends string> extends Histogram<Label> {
  readonly #options: HistogramConfiguration<Label>;
  readonly #buckets: readonly number[];
  readonly #series = new Map<string, Series<Label>>();

  constructor(options: HistogramConfiguration<Label> & { readonly buckets: number[] }) {
    super(options);
    this.#options = options;
    this.#buckets = options.buckets;
  }

  /** Returns a function that adds a value to the series of these labels. */
  open(labels: Labels<Label>): (value: number) => void {
    const key = JSON.stringify(labels);
    const counts = [...this.#buckets, Number.POSITIVE_INFINITY].map(() => 0);
    const series = this.#series.get(key) ?? { labels, counts, sum: 0 };
    this.#series.set(key, series);
    return (value) => {
      let index = 0;
      while (value > (this.#buckets[index] ?? Number.POSITIVE_INFINITY)) index += 1;
      series.counts[index] = (series.counts[index] ?? 0) + 1;
      series.sum += value;
    };
  }

  override reset(): void {
    super.reset();
    // The constructor of the library calls this before there are series.
    if (!(#series in this)) return;
    for (const series of this.#series.values()) {
      series.counts.fill(0);
      series.sum = 0;
    }
  }

  /** The library renders what this returns, as text and as JSON. It is not documented, so a test compares the output. */
  async getForPromString() {
    const { name, help } = this.#options;
    const values = [...this.#series.values()].flatMap((each) => this.#toValues(each));
    return { name, help, type: "histogram", aggregator: "sum", values };
  }

  #toValues({ labels: sharedLabels, counts, sum }: Series<Label>) {
    const { name } = this.#options;
    let count = 0;
    const buckets = counts.map((each, index) => ({
      metricName: `${name}_bucket`,
      labels: { le: this.#buckets[index] ?? "+Inf" },
      sharedLabels,
      value: (count += each),
    }));
    // A series with labels is not shown without a value.
    if (count === 0 && Object.keys(sharedLabels).length > 0) return [];
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
      { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
    ];
  }
}
