import { openContender } from "./support/open-contender.ts";
import { playRounds } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";

/**
 * The cost of counting results in the series of their webhook: the worker on the filesystem with and without it, in
 * alternating rounds. All deliveries have one webhook.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const count = Number(process.env["BENCH_DELIVERIES"] ?? 20_000);
const without = "without series";
const names = ["with series", without];

await using opened = new AsyncDisposableStack();
const contest = {
  "with series": opened.use(openContender("counting")).measure,
  [without]: opened.use(openContender("notCounting")).measure,
};
process.stderr.write("warming up …\n");
for (const measure of Object.values(contest)) await measure(count);
const { medianOf, sumOf, ratioOf } = await playRounds(contest, rounds, count);

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
printTable(
  `The worker alone, filesystem, ${rounds} × ${whole(count)} deliveries (medians)`,
  names.map((name) => ({
    "": name,
    "per second": whole(medianOf(name, "perSecond")),
    ratio: ratioOf(name, without, "perSecond").toFixed(2),
    "CPU µs": medianOf(name, "cpuMicroseconds").toFixed(0),
    "CPU ratio": ratioOf(name, without, "cpuMicroseconds").toFixed(2),
    lost: whole(sumOf(name, "lost")),
    duplicates: whole(sumOf(name, "duplicates")),
  })),
);
console.log();
