import { hasPostgresServer } from "../packages/storage/test/support/postgres-server.ts";
import { hasRedisServer } from "../packages/storage/test/support/redis-server.ts";
import { exchangeWebhooks, loadHttp, toRequest } from "./harness/http-load.ts";
import type { NextRequest } from "./harness/http-load.ts";
import { readOptions, someOf, wholeNumber } from "./harness/options.ts";
import { startProgram } from "./harness/program.ts";
import { openReceiver } from "./harness/receiver.ts";
import { playRounds } from "./harness/rounds.ts";
import type { Contest } from "./harness/rounds.ts";
import { openStorage } from "./harness/storages.ts";
import { median, printTable, quartiles, say, whole } from "./harness/table.ts";
import { openVersion, resolveCommit, thisVersion } from "./harness/versions.ts";
import { openContender } from "./rivals/contenders.ts";

const groups = ["delivery", "api", "scale"] as const;
const [first = "", ...others] = process.argv.slice(2);
const hasCommit = first !== "" && !first.startsWith("-");
const options = readOptions(
  `npm run bench -- compare [COMMIT] [options]

Compares the CPU time of an operation in a commit and in this version, which includes changes without a commit. COMMIT
is by default the last release tag, or where this branch left main. It is built in a folder of its own. The programs of
this bench run with the packages of both versions. They take turns in short rounds, every second round in reverse order.

A ratio is before ÷ now: above 1, this version is cheaper. The table shows the median of the rounds, and the range of
the middle half of them. V8 may compile the code of two processes differently, so on a busy machine a version against
itself gave 0.98 to 1.18: repeat a run three times. CPU time of Redis and PostgreSQL is not included.`,
  {
    only: someOf(groups, `only these: ${groups.join(", ")}`),
    storage: someOf(
      ["memory", "file", "redis", "postgres"],
      "of delivery and api. Redis and PostgreSQL only if they are installed",
    ),
    rounds: wholeNumber(16, "short rounds of each row"),
  },
  hasCommit ? others : process.argv.slice(2),
);

const commit = resolveCommit(hasCommit ? first : undefined);
const versions = { before: await openVersion(commit), now: thisVersion };
const rows: Record<string, string>[] = [];
const measured = { delivery: compareDelivery, api: compareApi, scale: compareScale };
for (const group of options.only) await measured[group]();
printTable(`CPU time of an operation in µs: ${commit} before, this version now`, rows);
console.log();

interface Sizes {
  /** Operations until V8 has compiled the last functions. */
  readonly warmUp: number;
  /** Operations of a round. */
  readonly count: number;
}

async function addRow(name: string, contest: Contest, { warmUp, count }: Sizes): Promise<void> {
  for (const measure of Object.values(contest)) await measure(warmUp);
  const { medianOf, ratiosOf } = await playRounds(contest, options.rounds, count, () => {});
  const ratios = ratiosOf("before", "now", "cpuMicroseconds");
  const [ratio, range] = [median(ratios).toFixed(2), quartiles(ratios)];
  const [before, now] = [medianOf("before", "cpuMicroseconds"), medianOf("now", "cpuMicroseconds")];
  rows.push({ "": name, before: whole(before), now: whole(now), ratio, range });
  say(`${name}: ${ratio} (${range})`);
}

async function compareDelivery(): Promise<void> {
  const isInstalled = { memory: true, file: true, redis: hasRedisServer, postgres: hasPostgresServer };
  for (const name of options.storage.filter((each) => isInstalled[each])) {
    await using opened = new AsyncDisposableStack();
    const isServer = name === "redis" || name === "postgres";
    const location = isServer ? opened.use(await openStorage(name)).location : name;
    const sizes = isServer ? { warmUp: 20_000, count: 3_000 } : { warmUp: 80_000, count: 6_000 };
    const open = (root: URL) =>
      opened.use(openContender("hookwright", location, { root, runUp: 500 })).measure;
    await addRow(`delivery, ${name}`, { before: open(versions.before), now: open(versions.now) }, sizes);
  }
}

async function compareApi(): Promise<void> {
  for (const name of options.storage.filter((each) => each === "memory" || each === "file")) {
    await using opened = new AsyncDisposableStack();
    const open = async (root: URL) => {
      const { location } = opened.use(await openStorage(name));
      const program = opened.use(
        startProgram(new URL("bench/programs/api-server.ts", root), { args: [location] }),
      );
      const { port, path, headers } = await program.nextMessage();
      const get = (of: string): NextRequest => {
        const request = toRequest({ port, headers, path: of });
        return () => request;
      };
      const measure = (nextRequest: NextRequest) => async (count: number) => {
        const cpuBefore = await program.request("cpu");
        const perSecond = await loadHttp({ port, count, nextRequest });
        return { perSecond, cpuMicroseconds: ((await program.request("cpu")) - cpuBefore) / count };
      };
      return {
        order: measure(get(path)),
        page: measure(get("/v1/orders?limit=20")),
        webhooks: measure(exchangeWebhooks({ port, headers })),
      };
    };
    const [before, now] = [await open(versions.before), await open(versions.now)];
    const add = (title: string, row: keyof typeof now, sizes: Sizes) =>
      addRow(`${title}, ${name}`, { before: before[row], now: now[row] }, sizes);
    await add("GET /v1/orders/{id}", "order", { warmUp: 50_000, count: 6_000 });
    await add("GET /v1/orders, 20 of 100", "page", { warmUp: 30_000, count: 2_000 });
    await add("POST, DELETE /v1/webhooks", "webhooks", { warmUp: 15_000, count: 1_000 });
  }
}

/** Accounts get deliveries in turn. */
async function compareScale(): Promise<void> {
  await using receiver = await openReceiver();
  for (const accounts of [1, 100, 10_000]) {
    await using opened = new AsyncDisposableStack();
    const open = async (root: URL) => {
      const { location } = opened.use(await openStorage("file"));
      const program = opened.use(
        startProgram(new URL("bench/programs/deliver-filled.ts", root), {
          args: [location, String(accounts), "0", "many", receiver.origins.accepting],
        }),
      );
      return (deliveries: number) => program.request(deliveries);
    };
    const contest = { before: await open(versions.before), now: await open(versions.now) };
    const name = `delivery, file, ${whole(accounts)} accounts in turn`;
    await addRow(name, contest, { warmUp: 20_000, count: accounts === 1 ? 6_000 : 3_000 });
  }
}
