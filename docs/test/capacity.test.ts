import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { costNames } from "../../bench/harness/cost-rows.ts";

const capacity = readFileSync(new URL("../operations/capacity.md", import.meta.url), "utf8");

/** The cells of a table row that begins with this text. */
function rowOf(name: string): readonly string[] {
  const line = capacity.split("\n").find((each) => each.startsWith(`| ${name} |`));
  return (line ?? "")
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.trim());
}

/** The constant of a row in milliseconds or bytes, for file, Redis and PostgreSQL. */
function constantsOf(name: (typeof costNames)[number]): readonly number[] {
  return rowOf(name).map((cell) => {
    const [, value, unit] = /^([\d.]+) (ms|KB)$/u.exec(cell) ?? [];
    return Number(value) * (unit === "KB" ? 1_000 : 1);
  });
}

it("the page about capacity has the constants that the bench measures", () => {
  for (const name of costNames)
    expect([name, ...constantsOf(name).map(Number.isFinite)]).toEqual([name, true, true, true]);
  expect(capacity).toContain("npm run bench -- scale --only costs");
});

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
/** Half of the events of each kind. */
const meanOf = (
  what: "CPU per delivery" | "bytes per record" | "bytes per ended delivery",
  storage: number,
) =>
  mean([
    constantsOf(`${what}, one account, many at once`)[storage] ?? 0,
    constantsOf(`${what}, many accounts, one by one`)[storage] ?? 0,
  ]);

it("the sizes on the page about capacity follow from its constants", () => {
  const sizes = [...capacity.matchAll(/^\| ([\d,]+)\/s[^|]*\|([^|]+)\|([^|]+)\|([^|]+)\|/gmu)];
  expect(sizes).toHaveLength(4);
  for (const [, rate = "", cores = "", records = "", log = ""] of sizes) {
    const perSecond = Number(rate.replace(",", ""));
    // The largest size is for PostgreSQL alone.
    const storage = perSecond >= 10_000 ? 2 : 0;
    const gigabytes = (bytes: number, days: number): number => (perSecond * 86_400 * days * bytes) / 1e9;
    const shown = (cell: string): number => {
      const [, value, unit] = /([\d.]+) (GB|TB)/u.exec(cell) ?? [];
      return Number(value) * (unit === "TB" ? 1_000 : 1);
    };
    const expectNear = (value: number, expected: number): void => {
      expect([rate, value, expected, Math.abs(value / expected - 1) < 0.06]).toEqual([
        rate,
        value,
        expected,
        true,
      ]);
    };
    expectNear(shown(records), gigabytes(meanOf("bytes per record", storage), 1));
    expectNear(shown(log), gigabytes(meanOf("bytes per ended delivery", storage), 7));
    expect([rate, Number.parseInt(cores, 10)]).toEqual([
      rate,
      Math.max(1, Math.ceil((perSecond * meanOf("CPU per delivery", storage) * 2) / 1_000)),
    ]);
  }
});
