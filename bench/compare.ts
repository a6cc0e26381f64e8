import { hasPostgresServer } from "../packages/storage/test/support/postgres-server.ts";
import { hasRedisServer } from "../packages/storage/test/support/redis-server.ts";
import { exchangeWebhooks, loadHttp, toRequest } from "./harness/http-load.ts";
import type { NextRequest } from "./harness/http-load.ts";
import { readOptions, someOf, wholeNumber } from "./harness/options.ts";
import { startProgram } from "./harness/program.ts";
import { openReceiver } from "./harness/receiver.ts";
import { playRounds } from "./harness/rounds.ts";
import type { Contest, Rounds } from "./harness/rounds.ts";
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
After half of the rounds, new processes are started in the other order.

A ratio is before ÷ now: above 1, this version is cheaper. The table shows the median of the rounds, and the range of
the middle half of them. On a busy machine, one pair of processes of the same code gave 0.96 to 1.31, and one run with
both pairs 1.00: repeat a run three times. CPU time of Redis and PostgreSQL is not included.`,
  {
    only: someOf(groups, `only these: ${groups.join(", ")}`),
    storage: someOf(
      ["memory", "file", "redis", "postgres"],
      "of delivery and api. Redis and PostgreSQL only if they are installed",
    ),
    rounds: wholeNumber(16, "short rounds of each row, an even number"),
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

/** A row of the table, in one version. */
interface Row {
  readonly name: string;
  /** Operations until V8 has compiled the last functions. */
  readonly warmUp: number;
  /** Operations of a round. */
  readonly count: number;
  readonly measure: Contest[string];
}

/**
 * Measures rows in two pairs of processes, each with half of the rounds. The pairs are started in opposite orders.
 *
 * @param open starts a version. Its rows have the same names in both versions
 */
async function compareRows(
  open: (root: URL, opened: AsyncDisposableStack) => Promise<readonly Row[]>,
): Promise<void> {
  const played = new Map<string, Rounds[]>();
  for (const order of [["before", "now"] as const, ["now", "before"] as const]) {
    await using opened = new AsyncDisposableStack();
    const contests = new Map<string, Row & { readonly contest: Contest }>();
    for (const version of order) {
      for (const row of await open(versions[version], opened)) {
        const contest = { ...contests.get(row.name)?.contest, [version]: row.measure };
        contests.set(row.name, { ...row, contest });
      }
    }
    for (const { name, warmUp, count, contest } of contests.values()) {
      for (const measure of Object.values(contest)) await measure(warmUp);
      const rounds = await playRounds(contest, Math.ceil(options.rounds / 2), count, () => {});
      played.set(name, [...(played.get(name) ?? []), rounds]);
    }
  }
  for (const [name, pairs] of played) addRow(name, pairs);
}

function addRow(name: string, pairs: readonly Rounds[]): void {
  const ratios = pairs.flatMap(({ ratiosOf }) => ratiosOf("before", "now", "cpuMicroseconds"));
  const [ratio, range] = [median(ratios).toFixed(2), quartiles(ratios)];
  const microseconds = (version: keyof typeof versions): string =>
    whole(median(pairs.map(({ medianOf }) => medianOf(version, "cpuMicroseconds"))));
  rows.push({ "": name, before: microseconds("before"), now: microseconds("now"), ratio, range });
  say(`${name}: ${ratio} (${range})`);
}

async function compareDelivery(): Promise<void> {
  const isInstalled = { memory: true, file: true, redis: hasRedisServer, postgres: hasPostgresServer };
  for (const storage of options.storage.filter((each) => isInstalled[each])) {
    await using server = new AsyncDisposableStack();
    const isServer = storage === "redis" || storage === "postgres";
    const location = isServer ? server.use(await openStorage(storage)).location : storage;
    const sizes = isServer ? { warmUp: 20_000, count: 3_000 } : { warmUp: 80_000, count: 6_000 };
    await compareRows(async (root, opened) => {
      const { measure } = opened.use(openContender("hookwright", location, { root, runUp: 500 }));
      return [{ name: `delivery, ${storage}`, measure, ...sizes }];
    });
  }
}

async function compareApi(): Promise<void> {
  for (const storage of options.storage.filter((each) => each === "memory" || each === "file")) {
    await compareRows(async (root, opened) => {
      const { location } = opened.use(await openStorage(storage));
      const program = opened.use(
        startProgram(new URL("bench/programs/api-server.ts", root), { args: [location] }),
      );
      const { port, path, headers } = await program.nextMessage();
      const get = (of: string): NextRequest => {
        const request = toRequest({ port, headers, path: of });
        return () => request;
      };
      const row = (title: string, nextRequest: NextRequest, sizes: Pick<Row, "warmUp" | "count">): Row => ({
        name: `${title}, ${storage}`,
        ...sizes,
        async measure(count) {
          const cpuBefore = await program.request("cpu");
          const perSecond = await loadHttp({ port, count, nextRequest });
          return { perSecond, cpuMicroseconds: ((await program.request("cpu")) - cpuBefore) / count };
        },
      });
      const [page, webhooks] = [get("/v1/orders?limit=20"), exchangeWebhooks({ port, headers })];
      return [
        row("GET /v1/orders/{id}", get(path), { warmUp: 50_000, count: 6_000 }),
        row("GET /v1/orders, 20 of 100", page, { warmUp: 30_000, count: 2_000 }),
        row("POST, DELETE /v1/webhooks", webhooks, { warmUp: 15_000, count: 1_000 }),
      ];
    });
  }
}

/** Accounts get deliveries in turn. */
async function compareScale(): Promise<void> {
  await using receiver = await openReceiver();
  for (const accounts of [1, 100, 10_000]) {
    await compareRows(async (root, opened) => {
      const { location } = opened.use(await openStorage("file"));
      const program = opened.use(
        startProgram(new URL("bench/programs/deliver-filled.ts", root), {
          args: [location, String(accounts), "0", "many", receiver.origins.accepting],
        }),
      );
      const name = `delivery, file, ${whole(accounts)} accounts in turn`;
      const measure = (deliveries: number) => program.request(deliveries);
      return [{ name, measure, warmUp: 20_000, count: accounts === 1 ? 6_000 : 3_000 }];
    });
  }
}
