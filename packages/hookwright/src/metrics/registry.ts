export interface Counter {
  /** @param values the label values, in the order of the label names */
  add(values: readonly string[], amount?: number): void;
}

export interface Histogram {
  observe(values: readonly string[], seconds: number): void;
}

export interface Registry {
  /** @param name ends in `_total` */
  counter(name: string, help: string, labels: readonly string[]): Counter;
  /** Called when the metrics are rendered. */
  gauge(name: string, help: string, read: () => number): void;
  /** Same as a gauge, for a value that only grows. */
  readCounter(name: string, help: string, read: () => number): void;
  /** @param buckets upper bounds in ascending order; `+Inf` is added */
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram;
  /** Renders all metrics in Prometheus' text format 0.0.4. */
  render(): string;
}

/**
 * Creates the metrics of one instance. Two instances in one process do not share counters, because nothing is global.
 * The text format is short, so no library is needed.
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
      const series = createSeries(() => ({ total: 0 }));
      addFamily(name, help, "counter", () =>
        series.all.map(({ values, measured }) => `${name}${renderLabels(labels, values)} ${measured.total}`),
      );
      return {
        add(values, amount = 1) {
          series.of(values).total += amount;
        },
      };
    },

    gauge: (name, help, read) => addFamily(name, help, "gauge", () => [`${name} ${read()}`]),
    readCounter: (name, help, read) => addFamily(name, help, "counter", () => [`${name} ${read()}`]),

    histogram(name, help, labels, buckets) {
      const series = createSeries(() => ({
        counts: Array.from({ length: buckets.length + 1 }, () => 0),
        sum: 0,
      }));
      addFamily(name, help, "histogram", () =>
        series.all.flatMap(({ values, measured }) => {
          let total = 0;
          const lines = measured.counts.map((count, index) => {
            total += count;
            const bound = index < buckets.length ? String(buckets[index]) : "+Inf";
            return `${name}_bucket${renderLabels([...labels, "le"], [...values, bound])} ${total}`;
          });
          const own = renderLabels(labels, values);
          return [...lines, `${name}_sum${own} ${measured.sum}`, `${name}_count${own} ${total}`];
        }),
      );
      return {
        observe(values, seconds) {
          const measured = series.of(values);
          let bucket = 0;
          while (bucket < buckets.length && seconds > (buckets[bucket] ?? 0)) bucket += 1;
          measured.counts[bucket] = (measured.counts[bucket] ?? 0) + 1;
          measured.sum += seconds;
        },
      };
    },

    render: () => families.map((render) => render()).join(""),
  };
}

interface Series<Measured> {
  /** All series, in the order of their first use. */
  readonly all: readonly { readonly values: readonly string[]; readonly measured: Measured }[];
  /** Returns the series with these label values. */
  of(values: readonly string[]): Measured;
}

interface Branch<Measured> {
  readonly next: Map<string, Branch<Measured>>;
  measured: Measured | undefined;
}

/** A tree with one level per label. Joining the values of each attempt to a key would be slower than counting it. */
function createSeries<Measured>(start: () => Measured): Series<Measured> {
  const root: Branch<Measured> = { next: new Map(), measured: undefined };
  const all: { readonly values: readonly string[]; readonly measured: Measured }[] = [];

  function add(branch: Branch<Measured>, values: readonly string[]): Measured {
    const measured = start();
    branch.measured = measured;
    all.push({ values: [...values], measured });
    return measured;
  }

  return {
    all,
    of(values) {
      let branch = root;
      for (const value of values) {
        let next = branch.next.get(value);
        if (next === undefined) {
          next = { next: new Map(), measured: undefined };
          branch.next.set(value, next);
        }
        branch = next;
      }
      return branch.measured ?? add(branch, values);
    },
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
