import { loadHttp, toRequest } from "./harness/http-load.ts";
import { readOptions, wholeNumber } from "./harness/options.ts";
import { openOrders, pages, timeInTurn } from "./harness/pages.ts";
import { startProgram } from "./harness/program.ts";
import { openStorage } from "./harness/storages.ts";
import { playRounds } from "./harness/rounds.ts";
import { median, printTable, say, whole } from "./harness/table.ts";

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
await comparePages("memory");
await comparePages("file");
console.log();

async function compareRoutes(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const open = async (location: string) => {
    const program = opened.use(
      startProgram(new URL("programs/api-server.ts", import.meta.url), { args: [location] }),
    );
    const server = await program.nextMessage();
    const request = toRequest(server);
    return async (count: number) => {
      const cpuBefore = await program.request("cpu");
      const perSecond = await loadHttp({ port: server.port, count, nextRequest: () => request });
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

async function comparePages(name: "memory" | "file"): Promise<void> {
  await using small = await openOrders(name, few);
  await using large = await openOrders(name, options.orders);
  const rows: Record<string, string>[] = [];
  for (const [page, read] of Object.entries(pages)) {
    // V8 compiles.
    await timeInTurn([small, large], read);
    const played: number[][] = [];
    for (let round = 1; round <= options.rounds; round++) played.push(await timeInTurn([small, large], read));
    const [ofFew = Number.NaN, ofMany = Number.NaN] = [0, 1].map((account) =>
      median(played.map((times) => times[account] ?? Number.NaN)),
    );
    rows.push({
      "": page,
      [`µs of ${whole(few)}`]: ofFew.toFixed(0),
      [`µs of ${whole(options.orders)}`]: ofMany.toFixed(0),
      ratio: (ofMany / ofFew).toFixed(2),
      budget: "≤ 1.50",
    });
  }
  printTable(`Pages of 100 orders, ${name} (medians)`, rows);
}
