import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/** What the young generation takes, in MB, before and after it may grow, of a program that keeps what it makes. */
const program = `
import { getHeapSpaceStatistics } from "node:v8";
import { keepHeapSmall, letHeapGrow } from ${JSON.stringify(new URL("../src/heap-settings.ts", import.meta.url).href)};

keepHeapSmall();
const kept = [];
const make = () => {
  for (let number = 0; number < 400_000; number++) kept.push({ number, text: String(number) });
  const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
  return young.space_size / 1e6;
};
const small = make();
letHeapGrow();
console.log(JSON.stringify({ small, grown: make() }));
`;

it("what is loaded at the start does not make the young generation grow, what comes later does", () => {
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const { small, grown } = JSON.parse(stdout);
  expect(small).toBeLessThan(4);
  expect(grown).toBeGreaterThan(4 * small);
});
