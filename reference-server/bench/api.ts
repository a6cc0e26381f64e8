import { loadHttp } from "./support/http-load.ts";
import { openApiServer } from "./support/open-api-server.ts";
import type { ApiServer } from "./support/open-api-server.ts";
import type { PageFigures } from "./support/pages.ts";
import { startProgram } from "./support/program.ts";
import { median, printTable } from "./support/table.ts";

/**
 * Compares `GET /v1/orders/{id}` (with key, rate limit and request log) with a bare h3 route that returns the same
 * JSON. Each server is a separate process. They alternate, and the median of the ratios is printed.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const count = Number(process.env["BENCH_REQUESTS"] ?? 20_000);
/**
 * V8 compiles the last functions of a request after about fifty thousand requests, and those of a bare route much
 * earlier.
 */
const warmUp = count * 4;
const few = 1_000;
const many = Number(process.env["BENCH_ORDERS"] ?? 1_000_000);

const contenders = [
  { kind: "bare", name: "bare h3 route", budget: undefined },
  { kind: "memory", name: "GET /v1/orders/{id}, memory", budget: 0.33 },
  { kind: "filesystem", name: "GET /v1/orders/{id}, filesystem", budget: 0.28 },
] as const;

interface Run {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly ratio: number;
}

const runs = new Map<string, Run[]>();
{
  await using stack = new AsyncDisposableStack();
  const servers: { readonly kind: string; readonly server: ApiServer }[] = [];
  process.stderr.write("warming up …\n");
  for (const { kind } of contenders) {
    const server = stack.use(await openApiServer(kind));
    servers.push({ kind, server });
    await loadHttp({ ...server, count: warmUp });
  }
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`round ${round} of ${rounds} …\n`);
    let bare = Number.NaN;
    for (const { kind, server } of servers) {
      const cpuBefore = await server.cpuMicroseconds();
      const perSecond = await loadHttp({ ...server, count });
      const cpuMicroseconds = ((await server.cpuMicroseconds()) - cpuBefore) / count;
      if (kind === "bare") bare = perSecond;
      runs.set(kind, [...(runs.get(kind) ?? []), { perSecond, cpuMicroseconds, ratio: perSecond / bare }]);
    }
  }
}

printTable(
  `One order over HTTP, ${rounds} × ${count.toLocaleString("en")} requests (medians)`,
  contenders.map(({ kind, name, budget }) => {
    const measured = runs.get(kind) ?? [];
    return {
      "": name,
      "per second": Math.round(median(measured.map(({ perSecond }) => perSecond))).toLocaleString("en"),
      ratio: median(measured.map(({ ratio }) => ratio)).toFixed(2),
      budget: budget === undefined ? "" : `≥ ${budget.toFixed(2)}`,
      "CPU µs": median(measured.map(({ cpuMicroseconds }) => cpuMicroseconds)).toFixed(0),
    };
  }),
);

/**
 * Compares the first and the last page of many orders with those of few. Both storages are filled concurrently in
 * separate processes, and measured alternately.
 */
{
  await using stack = new AsyncDisposableStack();
  const programs = (["memory", "filesystem"] as const).map((kind) => {
    const args = [kind, String(few), String(many)];
    return {
      kind,
      program: stack.use(startProgram(new URL("support/pages-process.ts", import.meta.url), { args })),
    };
  });
  await Promise.all(programs.map(({ program }) => program.nextMessage()));
  for (const { kind, program } of programs) {
    const measured: PageFigures[][] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const figures: readonly PageFigures[] = await program.request("figures");
      if (round > 0) figures.forEach((each, index) => measured[index]?.push(each));
    }
    printPages(kind, measured);
  }
}
console.log();

/** @param measured the rounds with few orders and with many orders */
function printPages(kind: string, measured: readonly (readonly PageFigures[])[]): void {
  const pages = [
    ["first page", "firstPage"],
    ["last page", "lastPage"],
    ["first page, by status", "byStatus"],
  ] as const;
  const microseconds = (index: number, page: (typeof pages)[number][1]): number =>
    median((measured[index] ?? []).map((figures) => figures[page]));
  printTable(
    `Pages of 100 orders, ${kind} (medians)`,
    pages.map(([name, page]) => ({
      "": name,
      [`µs of ${few.toLocaleString("en")}`]: microseconds(0, page).toFixed(0),
      [`µs of ${many.toLocaleString("en")}`]: microseconds(1, page).toFixed(0),
      ratio: (microseconds(1, page) / microseconds(0, page)).toFixed(2),
      budget: "≤ 1.50",
    })),
  );
}
