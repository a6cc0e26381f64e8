import { callsTo, createAccounts } from "./support/host-client.ts";
import { startMeasuredServer } from "./support/measured-server.ts";
import type { Load } from "./support/measured-server.ts";
import { openTimingReceiver } from "./support/open-timing-receiver.ts";
import { describeInterval } from "./support/quantile-ratio.ts";
import type { QuantileRatio } from "./support/quantile-ratio.ts";
import { compareSeconds, describeDisturbances, measureSecond } from "./support/seconds.ts";
import type { Second } from "./support/seconds.ts";
import { figure, printTable, quantile } from "./support/table.ts";

/**
 * Measures the latency of healthy endpoints while others hang: a server in memory, a thousand endpoints of separate
 * accounts, and five hundred orders a second round-robin over all of them. Zero, one or 500 endpoints hang. Only the
 * 500 that are healthy in all runs are compared.
 */
const endpoints = 1_000;
/** Attempts that hang time out after ten seconds. Measurements start after that. */
const warmUpMs = 11_000;
const measuredSeconds = Number(process.env["BENCH_SECONDS"] ?? 4);
/** The kinds of runs alternate, so that all see the same variations of the machine. */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 2);

const kinds = [
  { hanging: 0, budget: undefined },
  { hanging: 1, budget: 2 },
  { hanging: 500, budget: 2 },
] as const;

const token = "host-token-of-the-bench";
const env = {
  HOOKWRIGHT_STORAGE: "memory",
  HOOKWRIGHT_HOST_TOKEN: token,
  HOOKWRIGHT_PRIVATE_TARGETS: "allow",
  HOOKWRIGHT_RATE_LIMIT: "1000000000",
};
const projects = Array.from({ length: endpoints }, (_, index) => `site_${index}`);
/** Every other endpoint, so that each second has the same number. */
const isCompared = (index: number): boolean => index % 2 === 1;
const comparedProjects = new Set(projects.filter((_project, index) => isCompared(index)));
const load: Load = {
  publishEveryMs: 10,
  ordersAtOnce: 5,
  projects,
  isTimed: (project) => comparedProjects.has(project),
};

await using receiver = await openTimingReceiver();

/** Milliseconds from publish to receipt in each second, for the endpoints that are healthy in every run. */
async function measure(hanging: number): Promise<Second[]> {
  await using server = await startMeasuredServer({ server: { env }, token, receiver });
  const accounts = projects.map((project, index) => {
    const hangs = !isCompared(index) && index / 2 < hanging;
    return { project, targets: [`${hangs ? receiver.hangingOrigin : receiver.healthyOrigin}/${index}`] };
  });
  await createAccounts(callsTo(server.url, token), accounts);
  await server.publishFor(warmUpMs, load);
  const seconds: Second[] = [];
  while (seconds.length < measuredSeconds) seconds.push(await measureSecond(server, load));
  return seconds;
}

const measured = kinds.map((kind) => ({ ...kind, seconds: new Array<Second>() }));
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds} …\n`);
  for (const { hanging, seconds } of measured) seconds.push(...(await measure(hanging)));
}

const alone = measured[0]?.seconds ?? [];
printTable(
  `Publish to receipt of healthy endpoints, ${rounds} × ${measuredSeconds} s`,
  measured.map(({ hanging, budget, seconds }) => {
    const latencies = seconds.flatMap((second) => second.latencies);
    const { all, undisturbed } = compareSeconds(seconds, alone);
    const row = {
      "": hanging === 0 ? `${endpoints.toLocaleString("en")} endpoints` : `${hanging} endpoints hang`,
      deliveries: latencies.length.toLocaleString("en"),
      "p50 ms": quantile(latencies, 0.5).toFixed(2),
      "p99 ms": figure(all.one),
      disturbed: describeDisturbances(seconds),
      "p99 ms undisturbed": figure(undisturbed.one),
    };
    const ratioOf = (ratio: QuantileRatio): string => `${figure(ratio.ratio)} (${describeInterval(ratio)})`;
    return {
      ...row,
      "p99 ratio (90 % interval)": budget === undefined ? "" : ratioOf(all),
      undisturbed: budget === undefined ? "" : ratioOf(undisturbed),
      budget: budget === undefined ? "" : `≤ ${budget.toFixed(2)}`,
    };
  }),
);
console.log();
