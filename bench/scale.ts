import { printCosts } from "./harness/costs.ts";
import { deliverFrom } from "./harness/deliver-from.ts";
import { fillEndpoints, fillWaiting } from "./harness/fill.ts";
import { readOptions } from "./harness/options.ts";
import { openReceiver } from "./harness/receiver.ts";
import { playRounds } from "./harness/rounds.ts";
import type { Contest } from "./harness/rounds.ts";
import { scaleOptions } from "./harness/scale-options.ts";
import type { Curve } from "./harness/scale-options.ts";
import { openBenchStore, openStorage } from "./harness/storages.ts";
import type { Storage } from "./harness/storages.ts";
import { printTable, range, say, whole } from "./harness/table.ts";
import { measureWorkers } from "./harness/workers.ts";

const options = readOptions(
  `npm run bench -- scale [options]

Measures the CPU time of a delivery as the number of endpoints, accounts, waiting deliveries and workers grows, and what
a record and a delivery cost on each storage. The first point of a curve is 1. It needs Linux, and redis-server and
PostgreSQL for the last two.`,
  scaleOptions,
);

await using receiver = await openReceiver();
const measured: Readonly<Record<Curve, () => Promise<void>>> = {
  endpoints: () => measureEndpoints("endpoints", 50),
  accounts: () => measureEndpoints("accounts", 1),
  backlog: measureBacklog,
  workers: measureWorkerCurves,
  costs: () => printCosts(options, receiver),
};
for (const curve of options.only) await measured[curve]();
console.log();

interface Filling {
  readonly endpoints: number;
  readonly ofAccount: number;
  readonly waiting?: number;
  /** The receiver closes each connection after its response. */
  readonly closes?: boolean;
}

async function fill({ endpoints, ofAccount, waiting = 0, closes = false }: Filling): Promise<Storage> {
  const storage = await openStorage(options.storage);
  await using store = await openBenchStore(storage.location);
  const origin = receiver.origins[closes ? "closing" : "accepting"];
  await fillEndpoints(store, { count: endpoints, ofAccount, origin });
  if (waiting > 0) await fillWaiting(store, waiting);
  return storage;
}

/** All endpoints get deliveries in turn, so that most of them are not in a cache. */
async function measureEndpoints(curve: "endpoints" | "accounts", ofAccount: number): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const contest: Record<string, Contest[string]> = {};
  const add = async (name: string, filling: Filling): Promise<void> => {
    contest[name] = deliverTo(opened.use(await fill(filling)), filling.endpoints);
  };
  for (const endpoints of upTo(options[curve], [1, 100, 10_000])) {
    say(`creating ${whole(endpoints)} ${curve} …`);
    await add(whole(endpoints), { endpoints, ofAccount });
  }
  // Few of many endpoints have an open connection. This shows how much of their cost is the connection.
  await add("1, new connections", { endpoints: 1, ofAccount, closes: true });
  await printCurve(`CPU time of a delivery by ${curve}, ${options.storage}`, contest, "≤ 2.5");
}

/** The waiting deliveries are of suspended accounts, so no worker attempts them. */
async function measureBacklog(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const contest: Record<string, Contest[string]> = {};
  for (const waiting of [0, ...upTo(options.backlog, [100_000])])
    contest[whole(waiting)] = deliverTo(opened.use(await fill({ endpoints: 1, ofAccount: 1, waiting })), 1);
  await printCurve(`CPU time of a delivery by waiting deliveries, ${options.storage}`, contest, "≤ 1.3");
}

async function measureWorkerCurves(): Promise<void> {
  for (const name of ["redis", "postgres"] as const) {
    await using storage = await openStorage(name);
    const contest = Object.fromEntries(
      [1, 2, 4]
        .filter((workers) => workers <= options.workers)
        .map((workers) => [
          `${workers} workers`,
          (count: number) => measureWorkers(storage.location, receiver, { count, workers }),
        ]),
    );
    await printCurve(`CPU time of a delivery in all workers, ${name}`, contest, "≤ 1.1");
  }
}

function deliverTo({ location }: Storage, endpoints: number): Contest[string] {
  return (deliveries) => deliverFrom(location, { endpoints, deliveries });
}

async function printCurve(title: string, contest: Contest, budget: string): Promise<void> {
  const { medianOf, ratiosOf, ratioOf } = await playRounds(contest, options.rounds, options.deliveries);
  const names = Object.keys(contest);
  const [first = ""] = names;
  printTable(
    `${title} (${options.rounds} × ${whole(options.deliveries)} deliveries)`,
    names.map((name) => {
      const megabytes = medianOf(name, "anonymousMegabytes");
      return {
        "": name,
        "CPU µs": whole(medianOf(name, "cpuMicroseconds")),
        factor: ratioOf(name, first, "cpuMicroseconds").toFixed(2),
        range: range(ratiosOf(name, first, "cpuMicroseconds")),
        budget: name === first ? "" : budget,
        "per second": whole(medianOf(name, "perSecond")),
        "memory MB": megabytes === 0 ? "" : whole(megabytes),
      };
    }),
  );
}

/** The points below the last one, and the last one. */
function upTo(last: number, points: readonly number[]): number[] {
  return [...points.filter((point) => point < last), last];
}
