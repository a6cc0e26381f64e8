type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels: Labels, amount?: number): void;
}

export interface Histogram {
  observe(labels: Labels, seconds: number): void;
}

export interface Registry {
  /** @param name ends in `_total` */
  counter(name: string, help: string): Counter;
  /** Read when the metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void;
  /** As a gauge, of something that only grows. */
  readCounter(name: string, help: string, read: () => number): void;
  /** @param buckets upper bounds in ascending order; `+Inf` is added */
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  /** All of it in Prometheus' text format 0.0.4. */
  render(): string;
}

/**
 * Metrics of one instance: nothing is global, so two in one process do not add up. The text format is a page long; the
 * library for it has not been released for two years.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function createRegistry(): Registry {
  const families: (() => string)[] = [];

  function addFamily(name: string, help: string, type: string, samples: () => readonly string[]): void {
    families.push(() => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples(), ""].join("\n"));
  }

  return {
    counter(name, help) {
      const values = new Map<string, number>();
      addFamily(name, help, "counter", () =>
        [...values].map(([labels, value]) => `${name}${labels} ${value}`),
      );
      return {
        add(labels, amount = 1) {
          const key = renderLabels(labels);
          values.set(key, (values.get(key) ?? 0) + amount);
        },
      };
    },

    gauge: (name, help, read) => addFamily(name, help, "gauge", () => [`${name} ${read()}`]),
    readCounter: (name, help, read) => addFamily(name, help, "counter", () => [`${name} ${read()}`]),

    histogram(name, help, buckets) {
      const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();
      addFamily(name, help, "histogram", () =>
        [...series.values()].flatMap(({ labels, counts, sum }) => {
          let total = 0;
          const lines = counts.map((count, index) => {
            total += count;
            const le = index < buckets.length ? String(buckets[index]) : "+Inf";
            return `${name}_bucket${renderLabels({ ...labels, le })} ${total}`;
          });
          const own = renderLabels(labels);
          return [...lines, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`];
        }),
      );
      return {
        observe(labels, seconds) {
          const key = renderLabels(labels);
          let found = series.get(key);
          if (found === undefined) {
            found = { labels, counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 };
            series.set(key, found);
          }
          const bucket = buckets.findIndex((bound) => seconds <= bound);
          const index = bucket === -1 ? buckets.length : bucket;
          found.counts[index] = (found.counts[index] ?? 0) + 1;
          found.sum += seconds;
        },
      };
    },

    render: () => families.map((render) => render()).join(""),
  };
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeValue(value: string): string {
  return value
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
}
