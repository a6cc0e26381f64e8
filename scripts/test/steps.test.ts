import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runSteps } from "../testing/run-steps.mjs";

let printed = "";
beforeEach(() => {
  printed = "";
  // A single step shows its output on stdout. Here it would look like a result of this run.
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      if (stream === process.stderr) printed += String(text);
      return true;
    });
});
afterEach(() => void vi.restoreAllMocks());

function step(name: string, code: number) {
  return { name, what: "", run: vi.fn(async () => ({ code, output: `${name} says so` })) };
}

it("all steps run, with a line for each", async () => {
  expect(await runSteps([step("a", 0), step("b", 0), step("c", 0)])).toEqual({ code: 0 });
  expect(printed).toMatch(/^✓ a +[\d.]+ s\n✓ b +[\d.]+ s\n✓ c +[\d.]+ s\n\n3 steps passed in [\d.]+ s\n$/u);
});

it("the output of a failing step is shown, and how to run it again", async () => {
  expect(await runSteps([step("a", 0), step("b", 1)])).toEqual({ code: 1 });
  expect(printed).toContain("✗ b");
  expect(printed).toContain("b says so");
  expect(printed).not.toContain("a says so");
  expect(printed).toMatch(/^1 of 2 steps failed in [\d.]+ s\. Again: npm run check -- b$/mu);
});

it("what a passing step counted is shown", async () => {
  const tests = step("tests", 0);
  tests.run.mockResolvedValue({ code: 0, output: "dots\n· unit 3 tests\n" });
  await runSteps([tests]);
  expect(printed).toMatch(/^· unit 3 tests$/mu);
  expect(printed).not.toContain("dots");
});

it("suites that a passing step did not run are named once", async () => {
  const line = "The suites on Redis need redis-server on the path. They did not run.";
  const tests = step("tests", 0);
  tests.run.mockResolvedValue({ code: 0, output: `\u001B[22m${line}\u001B[39m\n${line}\nother\n` });
  await runSteps([tests]);
  expect(printed.split("\n").filter((each) => each.startsWith("·"))).toEqual([`· ${line}`]);
});
