import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/**
 * What the young generation has room for, in MB, before and after it may grow, of a program that keeps what it makes. Taken just after it
 * was cleaned up: while the old generation is marked it takes pages beyond its room.
 */
const program = `
import { getHeapSpaceStatistics } from "node:v8";
import { keepHeapSmall, letHeapGrow } from ${JSON.stringify(new URL("../src/heap-settings.ts", import.meta.url).href)};

keepHeapSmall();
letHeapGrow();
keepHeapSmall();
const kept = [];
const make = () => {
  for (let number = 0; number < 400_000; number++) kept.push({ number, text: String(number) });
  gc({ type: "minor" });
  const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
  return (young.space_used_size + young.space_available_size) / 1e6;
};
const small = make();
letHeapGrow();
console.log(JSON.stringify({ small, grown: make() }));
`;

it("what is loaded at the start does not make the young generation grow, what comes later does", () => {
  const args = ["--expose-gc", "--input-type=module", "--eval", program];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const { small, grown } = JSON.parse(stdout);
  expect(small).toBeLessThan(2);
  expect(grown).toBeGreaterThan(4 * small);
});
