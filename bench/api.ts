import { loadHttp } from "./harness/http-load.ts";
import { readOptions, wholeNumber } from "./harness/options.ts";
import { startProgram } from "./harness/program.ts";
import { openStorage } from "./harness/storages.ts";
import { playRounds } from "./harness/rounds.ts";
import { median, printTable, say, whole } from "./harness/table.ts";
import type { PageFigures } from "./programs/pages.ts";

const options = readOptions(
  `npm run bench -- api [options]

Compares \`GET /v1/orders/{id}\` (with key, rate limit and request log) with a bare h3 route that returns the same
JSON, and the first and the last page of many orders with those of ${whole(1_000)}. Each server is a separate process.`,
  {
    rounds: wholeNumber(5, "measurements of each row, which alternate"),
    requests: wholeNumber(20_000, "requests of a measurement"),
    orders: wholeNumber(1_000_000, "many orders"),
  },
);
const few = 1_000;

await compareRoutes();
await comparePages();
console.log();

async function compareRoutes(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const open = async (location: string) => {
    const program = opened.use(
      startProgram(new URL("programs/api-server.ts", import.meta.url), { args: [location] }),
    );
    const server = await program.nextMessage();
    return async (count: number) => {
      const cpuBefore = await program.request("cpu");
      const perSecond = await loadHttp({ ...server, count });
      return { perSecond, cpuMicroseconds: ((await program.request("cpu")) - cpuBefore) / count };
    };
  };
  const bare = "bare h3 route";
  const contest = {
    [bare]: await open("bare"),
    "GET /v1/orders/{id}, memory": await open("memory"),
    "GET /v1/orders/{id}, filesystem": await open(opened.use(await openStorage("file")).location),
  };
  const budgets = {
    [bare]: "",
    "GET /v1/orders/{id}, memory": "≥ 0.38",
    "GET /v1/orders/{id}, filesystem": "≥ 0.34",
  };
  say("warming up …");
  // V8 compiles the last functions of a request after about fifty thousand, and those of a bare route much earlier.
  for (const measure of Object.values(contest)) await measure(options.requests * 4);
  const { medianOf, ratioOf } = await playRounds(contest, options.rounds, options.requests);
  printTable(
    `One order over HTTP, ${options.rounds} × ${whole(options.requests)} requests (medians)`,
    Object.entries(budgets).map(([name, budget]) => ({
      "": name,
      "per second": whole(medianOf(name, "perSecond")),
      ratio: ratioOf(name, bare, "perSecond").toFixed(2),
      budget,
      "CPU µs": whole(medianOf(name, "cpuMicroseconds")),
    })),
  );
}

/** Both storages are filled at once in separate processes. */
async function comparePages(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const programs = await Promise.all(
    (["memory", "file"] as const).map(async (name) => {
      const [small, large] = [await openStorage(name), await openStorage(name)];
      opened.use(small);
      opened.use(large);
      const args = [small.location, String(few), large.location, String(options.orders)];
      const url = new URL("programs/pages.ts", import.meta.url);
      return { name, program: opened.use(startProgram(url, { args })) };
    }),
  );
  await Promise.all(programs.map(({ program }) => program.nextMessage()));
  for (const { name, program } of programs) {
    const played: PageFigures[][] = [];
    for (let round = 0; round <= options.rounds; round++) played.push(await program.request("figures"));
    // The first round warms up.
    played.shift();
    const pages = ["first page", "last page", "first page, by status"] as const;
    printTable(
      `Pages of 100 orders, ${name} (medians)`,
      pages.map((page) => {
        const [small = Number.NaN, large = Number.NaN] = [0, 1].map((account) =>
          median(played.map((figures) => figures[account]?.[page] ?? Number.NaN)),
        );
        return {
          "": page,
          [`µs of ${whole(few)}`]: small.toFixed(0),
          [`µs of ${whole(options.orders)}`]: large.toFixed(0),
          ratio: (large / small).toFixed(2),
          budget: "≤ 1.50",
        };
      }),
    );
  }
}
