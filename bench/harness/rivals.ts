import { openContender } from "../rivals/contenders.ts";
import type { ContenderName } from "../rivals/contenders.ts";
import { playRounds } from "./rounds.ts";
import { printTable, say, whole } from "./table.ts";

export interface Race {
  /** What is measured, and where. */
  readonly title: string;
  readonly rounds: number;
  readonly deliveries: number;
  /** Deliveries of each contender before the first round. */
  readonly warmUp: number;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  readonly contender: ContenderName;
  /** `memory`, `file`, or the URL of a server. */
  readonly location: string;
  /** Of its share of the ceiling. */
  readonly budget?: string;
  /** It waits for the disk, so its code need not be compiled. */
  readonly isSlow?: boolean;
  /** Of our deliveries per second, divided by this row's. */
  readonly budgetOfOurs?: string;
}

const ceiling = "ceiling (bare undici + HMAC)";

/** Measures contenders in turn, and prints them as shares of the ceiling. The first row is ours. */
export async function compareRivals({ title, rounds, deliveries, warmUp, rows }: Race): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const all: readonly Row[] = [{ name: ceiling, contender: "ceiling", location: "memory" }, ...rows];
  const contest = Object.fromEntries(
    all.map(({ name, contender, location }) => [
      name,
      opened.use(openContender(contender, location)).measure,
    ]),
  );
  say("warming up …");
  for (const { name, isSlow = false } of all) if (!isSlow) await contest[name]?.(warmUp);
  const { medianOf, sumOf, ratioOf } = await playRounds(contest, rounds, deliveries);
  const [ours] = rows;
  printTable(
    `${title}, 1 KiB bodies, ${rounds} × ${whole(deliveries)} deliveries (medians)`,
    all.map(({ name, budget = "", budgetOfOurs }) => ({
      "": name,
      "per second": whole(medianOf(name, "perSecond")),
      "of the ceiling": ratioOf(name, ceiling, "perSecond").toFixed(2),
      budget,
      "CPU µs": whole(medianOf(name, "cpuMicroseconds")),
      lost: name === ceiling ? "" : whole(sumOf(name, "lost")),
      duplicates: name === ceiling ? "" : whole(sumOf(name, "duplicates")),
      "ours / it": budgetOfOurs === undefined ? "" : ratioOf(ours?.name ?? "", name, "perSecond").toFixed(2),
      "budget of it": budgetOfOurs ?? "",
    })),
  );
  console.log();
}
