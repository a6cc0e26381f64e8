import type { ProcessMemory } from "../harness/process-usage.ts";
import { printTable, quantile, whole } from "../harness/table.ts";
import type { AttackName } from "./names.ts";
import type { Received } from "./receiver.ts";
import type { Counts } from "./tools.ts";
import type { Sample } from "./victim.ts";

export interface Measured {
  /** Half of the warm-up. Results from here on are the baseline of the attacks. */
  readonly warmFromMs: number;
  /** The start of the attacks, in milliseconds of the machine's monotonic clock. */
  readonly attackedFromMs: number;
  readonly attackedMs: number;
  readonly samples: readonly Sample[];
  readonly received: Received;
  readonly attacks: readonly { readonly name: AttackName; readonly counts: Counts }[];
  readonly memory: Readonly<Record<"before" | "highest" | "end", ProcessMemory>>;
  /** The server's log lines with level `error`. */
  readonly errors: number;
  /** How the server exited, if it exited before it was stopped. */
  readonly serverEnded: string | undefined;
}

const longestP99Ms = 250;
const maximumGrowthMegabytes = 150;

/** Prints the results. Returns true if every budget is met. */
export function report(measured: Measured, storage: string): boolean {
  const { attackedFromMs, warmFromMs, received, memory, samples, serverEnded } = measured;
  const arrivals = new Map(received.arrivals);
  const of = (kind: Sample["kind"]): readonly Sample[] => samples.filter((sample) => sample.kind === kind);
  const receipts = of("publish").flatMap((publish): readonly Sample[] => {
    const arrivedAt = arrivals.get(publish.eventId ?? "");
    return arrivedAt === undefined ? [] : [{ ...publish, tookMs: arrivedAt - publish.atMs }];
  });
  const waits: Readonly<Record<string, readonly Sample[]>> = {
    "publish to acknowledgement": of("publish"),
    "publish to receipt": receipts,
    "GET /v1/orders": of("read"),
    "GET /healthz": of("probe"),
    "right password": of("sign-in"),
  };
  const isAttacked = ({ atMs }: Sample): boolean => atMs >= attackedFromMs;
  const p99Of = (name: string): number => timesOf((waits[name] ?? []).filter(isAttacked), 0.99);
  const publishes = of("publish");
  const lost = publishes.filter(({ eventId = "", succeeded }) => succeeded && !arrivals.has(eventId));
  const failed = samples.filter((sample) => isAttacked(sample) && !sample.succeeded);

  printTable(
    `Attacks for ${(measured.attackedMs / 1_000).toFixed(0)} s (${storage})`,
    measured.attacks.map(({ name, counts }) => ({
      attack: name,
      ...Object.fromEntries(Object.entries(counts).map(([each, count]) => [` ${each}`, whole(count)])),
    })),
  );
  printTable(
    "The other account",
    Object.entries(waits).map(([name, all]) => {
      const attacked = all.filter(isAttacked);
      const before = all.filter(({ atMs }) => atMs < attackedFromMs && atMs >= warmFromMs);
      return {
        "": name,
        requests: whole(attacked.length),
        "p99 ms before": timesOf(before, 0.99).toFixed(1),
        "p50 ms": timesOf(attacked, 0.5).toFixed(1),
        "p99 ms": timesOf(attacked, 0.99).toFixed(1),
        "max ms": timesOf(attacked, 1).toFixed(1),
        failed: describeFailures(attacked),
      };
    }),
  );
  printTable("The server", [
    ...Object.entries(memory).map(([when, { anonymous, resident }]) => ({
      "": `memory ${when}`,
      value: `${anonymous.toFixed(0)} MB, ${resident.toFixed(0)} MB with mapped files`,
    })),
    { "": "errors in its log", value: String(measured.errors) },
    { "": "deliveries repeated, forged", value: `${received.repeated}, ${received.forged}` },
  ]);

  const growth = memory.highest.anonymous - memory.before.anonymous;
  const figures: readonly (readonly [budget: string, figure: number, below: number])[] = [
    ["publish to acknowledgement, p99 ms", p99Of("publish to acknowledgement"), longestP99Ms],
    ["publish to receipt, p99 ms", p99Of("publish to receipt"), longestP99Ms],
    ["GET /v1/orders, p99 ms", p99Of("GET /v1/orders"), longestP99Ms],
    ["growth of memory without mapped files, MB", growth, maximumGrowthMegabytes],
    [`events lost, of ${whole(publishes.filter(isAttacked).length)}`, lost.length, 1],
    ["failed requests of the other account", failed.length, 1],
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

/** `500: 2, ECONNRESET: 1` */
function describeFailures(samples: readonly Sample[]): string {
  const failed = samples.filter(({ succeeded }) => !succeeded);
  const byOutcome = Map.groupBy(failed, ({ outcome }) => outcome);
  return [...byOutcome].map(([outcome, { length }]) => `${outcome}: ${length}`).join(", ") || "0";
}
