import { printTable, quantile } from "../support/table.ts";
import type { AttackName, BenchOptions } from "./options.ts";
import type { Received } from "./receiver.ts";
import type { Counts } from "./tally.ts";
import type { Publish, Sample, Samples } from "./victim.ts";
import type { Memory } from "./watch-memory.ts";

export interface Measured {
  /** Half of the warm-up. Results from here on are the baseline of the attacks. */
  readonly warmFromMs: number;
  /** The start of the attacks, in milliseconds of the machine's monotonic clock. */
  readonly attackedFromMs: number;
  readonly attackedMs: number;
  readonly samples: Samples;
  readonly received: Received;
  readonly attacks: readonly { readonly name: AttackName; readonly counts: Counts }[];
  readonly memory: Readonly<Record<"before" | "highest" | "end", Memory>>;
  /** The server's log lines with level `error`. */
  readonly errors: number;
  /** How the server exited, if it exited before it was stopped. */
  readonly serverEnded: string | undefined;
}

const columns = ["requests", "2xx", "429", "503", "4xx", "5xx", "broken"] as const;
const longestP99Ms = 250;
const maximumGrowthMegabytes = 150;

/** Prints the results. Returns true if every budget is met. */
export function report(measured: Measured, { storage }: BenchOptions): boolean {
  const { attackedFromMs, warmFromMs, received, memory, samples, serverEnded } = measured;
  const during = <Each extends Sample>(all: readonly Each[]) =>
    all.filter(({ atMs }) => atMs >= attackedFromMs);
  const arrivals = new Map(received.arrivals);
  const receipts = samples.publishes.flatMap((publish): readonly Sample[] => {
    const arrivedAt = arrivals.get(publish.eventId);
    return arrivedAt === undefined ? [] : [{ ...publish, tookMs: arrivedAt - publish.atMs }];
  });
  const { publishes, reads, probes, signIns } = samples;
  const waits: Readonly<Record<string, readonly Sample[]>> = {
    "publish to acknowledgement": publishes,
    "publish to receipt": receipts,
    "GET /v1/orders": reads,
    "GET /healthz": probes,
    "right password": signIns,
  };
  const p99Of = (name: string): number => timesOf(during(waits[name] ?? []), 0.99);
  const isLost = ({ eventId, succeeded }: Publish): boolean => succeeded && !arrivals.has(eventId);
  const lost = publishes.filter(isLost).length;
  const failed = during([publishes, reads, probes, signIns].flat()).filter(
    ({ succeeded }) => !succeeded,
  ).length;

  printTable(
    `Attacks for ${(measured.attackedMs / 1_000).toFixed(0)} s (${storage})`,
    measured.attacks.map(({ name, counts }) => ({
      attack: name,
      ...Object.fromEntries(columns.map((each) => [` ${each}`, counts[each].toLocaleString("en")])),
    })),
  );
  printTable(
    "The other account",
    Object.entries(waits).map(([name, all]) => {
      const attacked = during(all);
      const before = all.filter(({ atMs }) => atMs < attackedFromMs && atMs >= warmFromMs);
      return {
        "": name,
        requests: attacked.length.toLocaleString("en"),
        "p99 ms before": timesOf(before, 0.99).toFixed(1),
        "p50 ms": timesOf(attacked, 0.5).toFixed(1),
        "p99 ms": timesOf(attacked, 0.99).toFixed(1),
        "max ms": timesOf(attacked, 1).toFixed(1),
        failed: describeFailures(attacked),
      };
    }),
  );
  printTable("The server", [
    ...Object.entries(memory).map(([when, { own, files }]) => ({
      "": `memory ${when}`,
      value: `${own.toFixed(0)} MB + ${files.toFixed(0)} MB of files`,
    })),
    { "": "errors in its log", value: String(measured.errors) },
    { "": "deliveries repeated, forged", value: `${received.repeated}, ${received.forged}` },
  ]);

  const figures: readonly (readonly [budget: string, figure: number, below: number])[] = [
    ["publish to acknowledgement, p99 ms", p99Of("publish to acknowledgement"), longestP99Ms],
    ["publish to receipt, p99 ms", p99Of("publish to receipt"), longestP99Ms],
    ["GET /v1/orders, p99 ms", p99Of("GET /v1/orders"), longestP99Ms],
    ["growth of memory without files, MB", memory.highest.own - memory.before.own, maximumGrowthMegabytes],
    [`events lost, of ${during(publishes).length.toLocaleString("en")}`, lost, 1],
    ["failed requests of the other account", failed, 1],
    ["exits of the server", serverEnded === undefined ? 0 : 1, 1],
  ];
  printTable(
    "Budgets",
    figures.map(([budget, value, below]) => ({
      budget,
      figure: value.toFixed(0),
      limit: below === 1 ? "0" : `< ${below}`,
      // Without results, no budget is met.
      ok: value < below ? "yes" : "NO",
    })),
  );
  console.log();
  return figures.every(([, value, below]) => value < below);
}

/** Includes failed requests: a timeout of 30 s counts as 30 s. */
function timesOf(samples: readonly Sample[], share: number): number {
  return quantile(
    samples.map(({ tookMs }) => tookMs),
    share,
  );
}

function describeFailures(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const { succeeded, outcome } of samples)
    if (!succeeded) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${outcome}: ${count}`).join(", ") || "0";
}
