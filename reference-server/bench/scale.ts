import { measureWorkers } from "./support/deliver-by-workers.ts";
import { deliverFrom } from "./support/deliver-from.ts";
import { fillEndpoints } from "./support/fill-endpoints.ts";
import { fillWaiting } from "./support/fill-waiting.ts";
import { openBenchStore } from "./support/open-bench-store.ts";
import { openReceiver } from "./support/open-receiver.ts";
import type { Receiver } from "./support/open-receiver.ts";
import { openScaleStorage } from "./support/open-scale-storage.ts";
import type { ScaleStorage } from "./support/open-scale-storage.ts";
import { printCosts } from "./support/print-costs.ts";
import { playRounds } from "./support/rounds.ts";
import type { Contest } from "./support/rounds.ts";
import { parseScaleOptions, usage } from "./support/scale-options.ts";
import type { Curve, ScaleOptions } from "./support/scale-options.ts";
import { printTable } from "./support/table.ts";

/** The largest factor of a flat curve. */
const flatFactor = 1.3;

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");

if (process.argv.includes("--help")) console.log(usage);
else await main(parseScaleOptions(process.argv.slice(2)));

async function main(options: ScaleOptions): Promise<void> {
  await using receiver = await openReceiver();
  const measured: Readonly<Record<Curve, () => Promise<void>>> = {
    endpoints: () => measureEndpoints("endpoints", 50, options, receiver),
    accounts: () => measureEndpoints("accounts", 1, options, receiver),
    backlog: () => measureBacklog(options, receiver),
    workers: () => measureWorkerCurves(options, receiver),
    costs: () => printCosts(options, receiver),
  };
  for (const curve of options.curves) await measured[curve]();
  console.log();
}

/** A storage with its endpoints, and perhaps waiting deliveries. */
interface Point {
  readonly name: string;
  readonly storage: ScaleStorage;
  readonly endpoints: number;
}

interface Filling {
  readonly endpoints: number;
  readonly ofAccount: number;
  readonly waiting?: number;
  /** The receiver closes each connection after its response. */
  readonly closes?: boolean;
}

async function fill(
  receiver: Receiver,
  options: ScaleOptions,
  { endpoints, ofAccount, waiting = 0, closes = false }: Filling,
): Promise<ScaleStorage> {
  const storage = await openScaleStorage(options.storage);
  await using store = await openBenchStore(storage.location);
  const origin = closes ? `${receiver.origin}/close` : receiver.origin;
  await fillEndpoints(store, { count: endpoints, ofAccount, origin });
  if (waiting > 0) await fillWaiting(store, waiting);
  return storage;
}

/** All endpoints get deliveries in turn, so that most of them are not in a cache. */
async function measureEndpoints(
  curve: "endpoints" | "accounts",
  ofAccount: number,
  options: ScaleOptions,
  receiver: Receiver,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const points: Point[] = [];
  for (const endpoints of upTo(options[curve], [1, 100, 10_000])) {
    process.stderr.write(`creating ${whole(endpoints)} ${curve} …\n`);
    const storage = opened.use(await fill(receiver, options, { endpoints, ofAccount }));
    points.push({ name: whole(endpoints), storage, endpoints });
  }
  // Few of many endpoints have an open connection. This shows how much of their cost is the connection.
  const storage = opened.use(await fill(receiver, options, { endpoints: 1, ofAccount, closes: true }));
  points.push({ name: "1, new connections", storage, endpoints: 1 });
  await playCurve(`CPU time of a delivery by ${curve}, ${options.storage}`, points, options);
}

/** The waiting deliveries are of suspended accounts, so no worker attempts them. */
async function measureBacklog(options: ScaleOptions, receiver: Receiver): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const points: Point[] = [];
  for (const waiting of [0, ...upTo(options.backlog, [100_000])]) {
    const storage = opened.use(await fill(receiver, options, { endpoints: 1, ofAccount: 1, waiting }));
    points.push({ name: whole(waiting), storage, endpoints: 1 });
  }
  await playCurve(`CPU time of a delivery by waiting deliveries, ${options.storage}`, points, options);
}

async function measureWorkerCurves(options: ScaleOptions, receiver: Receiver): Promise<void> {
  for (const name of ["redis", "postgres"] as const) {
    await using storage = await openScaleStorage(name);
    const measure = (workers: number) => (count: number) =>
      measureWorkers(storage.location, receiver, { count, workers });
    const contest = Object.fromEntries(
      [1, 2, 4]
        .filter((workers) => workers <= options.workers)
        .map((workers) => [`${workers} workers`, measure(workers)]),
    );
    await printCurve(`CPU time of a delivery in all workers, ${name}`, contest, options);
  }
}

async function playCurve(title: string, points: readonly Point[], options: ScaleOptions): Promise<void> {
  const contest = Object.fromEntries(
    points.map((point) => [
      point.name,
      (deliveries: number) => deliverFrom(point.storage.location, { endpoints: point.endpoints, deliveries }),
    ]),
  );
  await printCurve(title, contest, options);
}

async function printCurve(title: string, contest: Contest, { rounds, deliveries }: ScaleOptions) {
  const { medianOf, ratiosOf, ratioOf } = await playRounds(contest, rounds, deliveries);
  const names = Object.keys(contest);
  const [first = ""] = names;
  const rows = names.map((name) => {
    const ratios = ratiosOf(name, first, "cpuMicroseconds");
    const factor = ratioOf(name, first, "cpuMicroseconds");
    const megabytes = medianOf(name, "anonymousMegabytes");
    return {
      "": name,
      "CPU µs": whole(medianOf(name, "cpuMicroseconds")),
      factor: factor.toFixed(2),
      range: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      [`≤ ${flatFactor}`]: factor <= flatFactor ? "yes" : "no",
      "per second": whole(medianOf(name, "perSecond")),
      "memory MB": megabytes === 0 ? "" : whole(megabytes),
    };
  });
  printTable(`${title} (${rounds} × ${whole(deliveries)} deliveries)`, rows);
}

/** The points below the last one, and the last one. */
function upTo(last: number, points: readonly number[]): number[] {
  return [...points.filter((point) => point < last), last];
}
