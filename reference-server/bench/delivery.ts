import type { ContenderName } from "./support/contenders.ts";
import { openContender } from "./support/open-contender.ts";
import { playRounds } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";

/**
 * Deliveries per second from publish to the recorded 2xx, as a share of the ceiling in the same round. Rounds
 * alternate, and the median of the ratios is printed. Bare outboxes show the cost of storage and sending alone.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const count = Number(process.env["BENCH_DELIVERIES"] ?? 20_000);
/** The warm-up of each contender: V8 compiles the last functions of a delivery after some forty thousand. */
const warmUp = 40_000;

interface Row {
  readonly name: string;
  readonly contender: ContenderName;
  readonly budget?: number;
}

const ceiling: Row = { name: "ceiling (bare undici + HMAC)", contender: "ceiling" };
const rows: readonly Row[] = [
  ceiling,
  { name: "memory", contender: "memory", budget: 0.75 },
  { name: "filesystem", contender: "filesystem", budget: 0.6 },
  { name: "memory, 4 webhooks an event", contender: "memoryFourWebhooks" },
  { name: "filesystem, 4 webhooks an event", contender: "filesystemFourWebhooks" },
  { name: "bare outbox, a Map", contender: "bareMemory" },
  { name: "bare outbox, LMDB", contender: "bareFilesystem" },
];

await using opened = new AsyncDisposableStack();
const contest = Object.fromEntries(
  rows.map(({ name, contender }) => [name, opened.use(openContender(contender)).measure]),
);
process.stderr.write("warming up …\n");
for (const measure of Object.values(contest)) await measure(warmUp);
const { medianOf, sumOf, ratioOf } = await playRounds(contest, rounds, count);

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
printTable(
  `Publish to recorded 2xx, one process, 1 KiB bodies, ${rounds} × ${whole(count)} deliveries (medians)`,
  rows.map(({ name, budget }) => ({
    "": name,
    "per second": whole(medianOf(name, "perSecond")),
    ratio: ratioOf(name, ceiling.name, "perSecond").toFixed(2),
    budget: budget === undefined ? "" : `≥ ${budget.toFixed(2)}`,
    "CPU µs": medianOf(name, "cpuMicroseconds").toFixed(0),
    lost: name === ceiling.name ? "" : whole(sumOf(name, "lost")),
    duplicates: name === ceiling.name ? "" : whole(sumOf(name, "duplicates")),
  })),
);
console.log();
