import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readLimits } from "../../packages/api/src/routing/read-gate.ts";
import { EndpointLimits } from "../../packages/delivery/src/sending/endpoint-limits.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (page: string): string => readFileSync(`${root}/${page}`, "utf8");
const page = "docs/guide/guarantees.md";

it("the page of guarantees has the concurrency limits of an endpoint", () => {
  const limits = new EndpointLimits({ maximumBackoffMs: 30_000, random: () => 0.5 });
  const times = { startedAt: 1, endedAt: 2 };
  const first = limits.limit;
  for (let count = 0; count < 100; count++) limits.onResult(true, times);
  const highest = limits.limit;
  for (let count = 0; count < 9; count++) limits.onResult(false, times);
  const halved = limits.limit;
  limits.onResult(false, times);
  expect(read(page)).toContain(
    `| ${limits.limit} to ${highest}: it begins at ${first}, a success adds one, and a failure halves it, down to ${halved}. ${limits.limit} during back-off`,
  );
});

it("the limits in the threat model are those of the code", () => {
  const named = [
    ...read("docs/security.md").matchAll(
      /\[`(\w+)`\]\(\.\.\/(packages\/[^)]+\/src\/[^)]+)\) (\d+(?:,\d+)*)/gu,
    ),
  ];
  expect(named.length).toBeGreaterThan(15);
  for (const [, name = "", file = "", shown = ""] of named) {
    const [, product = ""] = new RegExp(`const ${name} = ([\\d_ *]+);`, "u").exec(read(file)) ?? [];
    const value = product
      .split("*")
      .reduce((result, factor) => result * Number(factor.replaceAll("_", "")), 1);
    expect(`${name} ${value.toLocaleString("en")}`).toBe(`${name} ${shown}`);
  }
  for (const [{ running, waiting }, account] of [readLimits.page, readLimits.scan])
    expect(read("docs/security.md")).toContain(
      `| ${running} at once, ${waiting} wait for at most 10 s | account: ${account.running} at once, ${account.waiting} wait |`,
    );
});

it("only the page of guarantees says how often a worker scans", () => {
  const [, ms = ""] = /scanMs = ([\d_]+)/u.exec(read("packages/delivery/src/worker.ts")) ?? [];
  const seconds = Number(ms.replaceAll("_", "")) / 1_000;
  expect(read(page)).toContain(`by a scan every ${seconds} s`);
  const pages = globSync(["docs/**/*.md", "packages/*/README.md"], { cwd: root });
  const saying = pages.filter((file) => /scan\w*\b[^.|\n]{0,60}\bevery (?:\d|ten|five)/iu.test(read(file)));
  expect(saying).toEqual([page]);
});
