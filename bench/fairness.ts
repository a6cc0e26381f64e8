import { createAccounts } from "./harness/host-client.ts";
import { startMeasuredServer } from "./harness/measured-server.ts";
import type { Load } from "./harness/measured-server.ts";
import { readOptions, wholeNumber } from "./harness/options.ts";
import { openReceiver } from "./harness/receiver.ts";
import { median, printTable, quantile, range, say, whole } from "./harness/table.ts";

/** A thousand endpoints of separate accounts. The attempts that hang time out after ten seconds; measurements start after that. */
const endpoints = 1_000;
const warmUpMs = 11_000;

const options = readOptions(
  `npm run bench -- fairness [options]

Measures the latency of healthy endpoints while others hang: a server in memory, a thousand endpoints of separate
accounts, and five hundred orders a second round-robin over all of them. Zero, one or 500 endpoints hang. Only the
500 that are healthy in all runs are compared.`,
  {
    seconds: wholeNumber(4, "measured seconds of each run"),
    rounds: wholeNumber(2, "runs of each kind, which alternate"),
  },
);

const kinds = [0, 1, 500] as const;
const projects = Array.from({ length: endpoints }, (_, index) => `site_${index}`);
/** Every other endpoint, so that each second has the same number. */
const isCompared = (index: number): boolean => index % 2 === 1;
const compared = new Set(projects.filter((_project, index) => isCompared(index)));
const load: Load = {
  publishEveryMs: 10,
  ordersAtOnce: 5,
  projects,
  isTimed: (project) => compared.has(project),
};

await using receiver = await openReceiver();

/** Milliseconds from publish to receipt, for the endpoints that are healthy in every run. */
async function measure(hanging: number): Promise<number[]> {
  await using server = await startMeasuredServer({ env: { HOOKWRIGHT_STORAGE: "memory" } }, receiver);
  const accounts = projects.map((project, index) => {
    const kind = !isCompared(index) && index / 2 < hanging ? "hanging" : "accepting";
    return { project, targets: [`${receiver.origins[kind]}/${index}`] };
  });
  await createAccounts(server.call, accounts);
  await server.publishFor(warmUpMs, load);
  return await server.publishFor(options.seconds * 1_000, load);
}

const runs = kinds.map((hanging) => ({ hanging, latencies: new Array<number[]>() }));
for (let round = 1; round <= options.rounds; round++) {
  say(`round ${round} of ${options.rounds} …`);
  for (const { hanging, latencies } of runs) latencies.push(await measure(hanging));
}

const p99s = (latencies: readonly number[][]): number[] => latencies.map((each) => quantile(each, 0.99));
const alone = p99s(runs[0]?.latencies ?? []);
printTable(
  `Publish to receipt of healthy endpoints, ${options.rounds} × ${options.seconds} s`,
  runs.map(({ hanging, latencies }) => {
    const ratios = p99s(latencies).map((p99, round) => p99 / (alone[round] ?? Number.NaN));
    return {
      "": hanging === 0 ? `${whole(endpoints)} endpoints` : `${hanging} endpoints hang`,
      deliveries: whole(latencies.flat().length),
      "p50 ms": quantile(latencies.flat(), 0.5).toFixed(2),
      "p99 ms": median(p99s(latencies)).toFixed(2),
      "p99 ratio": hanging === 0 ? "" : median(ratios).toFixed(2),
      range: hanging === 0 ? "" : range(ratios),
      budget: hanging === 0 ? "" : "≤ 2.00, or 10 ms more",
    };
  }),
);
console.log();
