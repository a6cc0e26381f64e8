import { expect, it, vi } from "vitest";
import { runSteps } from "../checks/run-steps.mjs";

const silent = {
  step: async (_label: string, work: () => Promise<string | void>) => void (await work()),
  note: vi.fn(),
};

function step(name: string, code: number, after?: string) {
  const run = vi.fn(async () => ({ code, output: `${name} says so` }));
  return { name, what: "", run, ...(after === undefined ? {} : { after }) };
}

async function runAll(steps: readonly ReturnType<typeof step>[]) {
  let written = "";
  const code = await runSteps(steps, {
    atOnce: 2,
    progress: silent,
    write: (text: string) => void (written += text),
  });
  return { code, written };
}

it("all steps run, and their number is told", async () => {
  const { code, written } = await runAll([step("a", 0), step("b", 0), step("c", 0)]);
  expect([code, written]).toEqual([0, expect.stringMatching(/^\n3 steps passed in [\d.]+ s\n$/u)]);
});

it("one step is one", async () => {
  expect((await runAll([step("a", 0)])).written).toMatch(/^\n1 step passed in /u);
});

it("what a failing step printed is shown, and how to run it again", async () => {
  const { code, written } = await runAll([step("a", 0), step("b", 1)]);
  expect(code).toBe(1);
  expect(written).toContain("b says so");
  expect(written).not.toContain("a says so");
  expect(written).toContain("Again: npm run check -- b\n");
});

it("a step that means nothing without another is not run when that fails", async () => {
  const tests = step("tests", 0, "build");
  const { code, written } = await runAll([tests, step("build", 1)]);
  expect([code, tests.run.mock.calls]).toEqual([1, []]);
  expect(written).toContain("2 of 2 steps did not pass");
});

it("what a passing step has to say nevertheless is handed on", async () => {
  const tests = step("tests", 0);
  tests.run.mockResolvedValue({ code: 0, output: "\u001B[22m\u001B[39mnotice: Redis is not here\n" });
  await runAll([tests]);
  expect(silent.note).toHaveBeenCalledWith("Redis is not here");
});
