import { printTable, quantile } from "../support/table.ts";
import type { Received } from "./open-receiver.ts";
import type { AttackName, BenchOptions } from "./options.ts";
import { createTally } from "./tally.ts";
import type { Publish, Sample, Samples } from "./victim.ts";

export interface Measured {
  /** Half of the warm-up. Results from here on are the baseline of the attacks. */
  readonly warmFromMs: number;
  /** The start of the attacks, in milliseconds of the machine's monotonic clock. */
  readonly attackedFromMs: number;
  readonly attackedMs: number;
  readonly samples: Samples;
  readonly received: Received;
  readonly attacks: readonly {
    readonly name: AttackName;
    readonly counts: Readonly<Record<string, number>>;
  }[];
  readonly megabytes: {
    readonly before: number;
    readonly highest: number;
    readonly end: number;
    readonly drained: number;
  };
  /** `undefined` for a storage without a directory. */
  readonly directoryMegabytes?: { readonly before: number; readonly after: number } | undefined;
  readonly mails: number;
  /** The server's log lines with level `error`. */
  readonly errors: number;
  /** How the server exited, if it exited before it was stopped. */
  readonly serverEnded: string | undefined;
}

const longestP99Ms = 250;
const maximumGrowthMegabytes = 150;

/** Prints the results. Returns true if every budget is met. */
export function report(
  measured: Measured,
  options: Pick<BenchOptions, "storage" | "attacks" | "openFiles">,
): boolean {
  const { attackedFromMs, received, megabytes, directoryMegabytes: disk } = measured;
  const during = <Each extends Sample>(samples: readonly Each[]) =>
    samples.filter(({ atMs }) => atMs >= attackedFromMs);
  const before = <Each extends Sample>(samples: readonly Each[]) =>
    samples.filter(({ atMs }) => atMs < attackedFromMs && atMs >= measured.warmFromMs);
  const publishes = during(measured.samples.publishes);
  const arrivals = new Map(received.arrivals);
  const receiptsOf = (publishes: readonly Publish[]): number[] =>
    publishes.flatMap(({ eventId, atMs }) => {
      const arrivedAt = arrivals.get(eventId);
      return arrivedAt === undefined ? [] : [arrivedAt - atMs];
    });
  const receipts = receiptsOf(publishes);
  const rowOf = (name: string, samples: readonly Sample[]) => ({
    ...timesOf(name, toTimes(before(samples)), toTimes(during(samples))),
    failed: describeFailures(during(samples)),
  });
  const isLost = ({ eventId, succeeded }: Publish): boolean => succeeded && !arrivals.has(eventId);
  const lost = measured.samples.publishes.filter(isLost).length;

  const seconds = (measured.attackedMs / 1_000).toFixed(0);
  printTable(
    `The other account during ${seconds} s of ${options.attacks.join(", ")} (${options.storage}, ${options.openFiles} open files)`,
    [
      rowOf("publish to acknowledgement", measured.samples.publishes),
      {
        ...timesOf("publish to receipt", receiptsOf(before(measured.samples.publishes)), receipts),
        failed: "",
      },
      rowOf("GET /v1/orders", measured.samples.reads),
      rowOf("GET /healthz", measured.samples.probes),
      rowOf("right password", measured.samples.signIns),
    ],
  );

  printTable("The server", [
    { "": "resident MB: before, highest, end, after the drain", value: listOf(megabytes) },
    ...(disk === undefined ? [] : [{ "": "data directory MB: before, after", value: listOf(disk) }]),
    { "": "mails", value: String(measured.mails) },
    { "": "errors in its log", value: String(measured.errors) },
    { "": "deliveries repeated, forged", value: `${received.repeated}, ${received.forged}` },
    { "": "ended", value: measured.serverEnded ?? "no" },
  ]);

  printTable(
    "Results of the attacks",
    measured.attacks.map(({ name, counts }) => ({ "": name, outcomes: describeCounts(counts) })),
  );

  const acknowledged = publishes.filter(({ succeeded }) => succeeded).length;
  const acknowledgementP99 = quantile(toTimes(publishes), 0.99);
  const receiptP99 = quantile(receipts, 0.99);
  const growth = megabytes.highest - megabytes.before;
  const failed = [publishes, ...otherSamples(measured.samples).map(during)].flatMap((samples) =>
    samples.filter(({ succeeded }) => !succeeded),
  ).length;
  const budgets = [
    budget("publish to acknowledgement, p99 ms", acknowledgementP99, longestP99Ms),
    budget("publish to receipt, p99 ms", receiptP99, longestP99Ms),
    budget("growth of resident memory, MB", growth, maximumGrowthMegabytes),
    {
      name: `lost, of ${acknowledged} acknowledged during the attacks`,
      shown: String(lost),
      limit: "0",
      isMet: lost === 0,
    },
    { name: "failed requests of the other account", shown: String(failed), limit: "0", isMet: failed === 0 },
    {
      name: "the server ended",
      shown: measured.serverEnded ?? "no",
      limit: "no",
      isMet: measured.serverEnded === undefined,
    },
  ];
  printTable(
    "Budgets",
    budgets.map(({ name, shown, limit, isMet }) => ({
      "": name,
      measured: shown,
      budget: limit,
      met: isMet ? "yes" : "NO",
    })),
  );
  console.log();
  return budgets.every(({ isMet }) => isMet);
}

function otherSamples({ reads, probes, signIns }: Samples): readonly (readonly Sample[])[] {
  return [reads, probes, signIns];
}

function budget(name: string, measured: number, limit: number) {
  // Without results, no budget is met.
  return { name, shown: measured.toFixed(0), limit: `< ${limit}`, isMet: measured < limit };
}

/** Includes failed requests: a timeout of 30 s counts as 30 s. */
function toTimes(samples: readonly Sample[]): number[] {
  return samples.map(({ tookMs }) => tookMs);
}

function timesOf(name: string, before: readonly number[], during: readonly number[]) {
  return {
    "": name,
    "p99 ms before": quantile(before, 0.99).toFixed(1),
    count: during.length.toLocaleString("en"),
    "p50 ms": quantile(during, 0.5).toFixed(1),
    "p99 ms": quantile(during, 0.99).toFixed(1),
    "max ms": quantile(during, 1).toFixed(1),
  };
}

function describeFailures(samples: readonly Sample[]): string {
  const tally = createTally();
  for (const { succeeded, outcome } of samples) if (!succeeded) tally.add(outcome);
  return describeCounts(tally.counts()) || "0";
}

function listOf(figures: Readonly<Record<string, number>>): string {
  return Object.values(figures)
    .map((figure) => figure.toFixed(0))
    .join(", ");
}

function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([outcome, count]) => `${outcome}: ${count.toLocaleString("en")}`)
    .join(", ");
}
