export interface Counter {
  /** @param values of the labels, in the order of their names */
  add(values: readonly string[], amount?: number): void;
}

export interface Histogram {
  observe(values: readonly string[], seconds: number): void;
}

export interface Registry {
  /** @param name ends in `_total` */
  counter(name: string, help: string, labels: readonly string[]): Counter;
  /** Read when the metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void;
  /** As a gauge, of something that only grows. */
  readCounter(name: string, help: string, read: () => number): void;
  /** @param buckets upper bounds in ascending order; `+Inf` is added */
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram;
  /** All of it in Prometheus' text format 0.0.4. */
  render(): string;
}

/** No label has it, and joining with it costs a tenth of rendering the labels for every attempt. */
const separator = "\u0000";

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
    counter(name, help, labels) {
      const totals = new Map<string, number>();
      addFamily(name, help, "counter", () =>
        [...totals].map(([key, total]) => `${name}${renderLabels(labels, key.split(separator))} ${total}`),
      );
      return {
        add(values, amount = 1) {
          const key = values.join(separator);
          totals.set(key, (totals.get(key) ?? 0) + amount);
        },
      };
    },

    gauge: (name, help, read) => addFamily(name, help, "gauge", () => [`${name} ${read()}`]),
    readCounter: (name, help, read) => addFamily(name, help, "counter", () => [`${name} ${read()}`]),

    histogram(name, help, labels, buckets) {
      const series = new Map<string, { readonly counts: number[]; sum: number }>();
      addFamily(name, help, "histogram", () =>
        [...series].flatMap(([key, { counts, sum }]) => {
          const values = labels.length === 0 ? [] : key.split(separator);
          let total = 0;
          const lines = counts.map((count, index) => {
            total += count;
            const bound = index < buckets.length ? String(buckets[index]) : "+Inf";
            return `${name}_bucket${renderLabels([...labels, "le"], [...values, bound])} ${total}`;
          });
          const own = renderLabels(labels, values);
          return [...lines, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`];
        }),
      );
      return {
        observe(values, seconds) {
          const key = values.join(separator);
          let found = series.get(key);
          if (found === undefined) {
            found = { counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 };
            series.set(key, found);
          }
          let bucket = 0;
          while (bucket < buckets.length && seconds > (buckets[bucket] ?? 0)) bucket += 1;
          found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
          found.sum += seconds;
        },
      };
    },

    render: () => families.map((render) => render()).join(""),
  };
}

function renderLabels(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return "";
  return `{${names.map((name, index) => `${name}="${escapeValue(values[index] ?? "")}"`).join(",")}}`;
}

function escapeValue(value: string): string {
  return value
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
}
