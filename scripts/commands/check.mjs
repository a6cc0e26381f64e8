import process from "node:process";
import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";
import { run as runProgram, runNode } from "../bootstrap/processes.mjs";
import { ONE_CHECKER, TSC } from "../bootstrap/workspace.mjs";
import { runSteps } from "../testing/run-steps.mjs";
import { checkLicences } from "../licences/check-licences.mjs";
import { checkPackages } from "../packing/check-packages.mjs";
import { runTests } from "../testing/run-tests.mjs";

/** The name of each step and what it runs. */
const STEPS = {
  lint: "oxlint",
  format: "oxfmt",
  types: "tsc",
  imports: "direction and cycles",
  unused: "knip",
  licences: "of all packages that are shipped",
  tests: "vitest",
  packages: "publint, installed types",
};
const names = Object.keys(STEPS);

/** These use what was built. */
const NEED_BUILD = new Set(["tests", "packages"]);

export const usage = `npm run check [-- STEP …]

Runs these steps; without a name all but the tests:

${Object.entries(STEPS)
  .map(([name, what]) => `  ${name.padEnd(9)} ${what}`)
  .join("\n")}`;

/** @param {readonly string[]} args */
export async function run(args) {
  const unknown = args.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new ScriptError(`There is no step "${unknown.join('", "')}". Choose among: ${names.join(", ")}.`);
  return runChecks(args.length > 0 ? args : names.filter((name) => name !== "tests"));
}

/** @param {readonly string[]} wanted Names of steps. */
export async function runChecks(wanted) {
  const needsBuild = wanted.some((name) => NEED_BUILD.has(name));
  const { node, env: plain } = await prepare({
    withPnpm: true,
    ...(needsBuild ? { build: "javascript" } : {}),
  });
  // The tools colour their output only for a terminal, and ours is a pipe.
  const env = process.stderr.isTTY && !plain["NO_COLOR"] ? { ...plain, FORCE_COLOR: "1" } : plain;
  const options = { env, capture: true };
  const tool = (/** @type {string} */ command) => runProgram(command, [], { ...options, shell: true });
  /** @type {ReturnType<typeof runNode> | undefined} */
  let checked;
  const checkTypes = () => (checked ??= runNode(node, [TSC, "--build", ...ONE_CHECKER], options));
  /** @type {Record<keyof typeof STEPS, () => Promise<{ code: number | null, output: string }>>} */
  const runs = {
    lint: () => tool("oxlint --deny-warnings"),
    format: () => tool("oxfmt --check"),
    types: checkTypes,
    imports: () =>
      runNode(
        node,
        ["node_modules/vitest/vitest.mjs", "run", "scripts/test/import-direction.test.ts"],
        options,
      ),
    unused: () => tool("knip --no-progress"),
    licences: async () => checkLicences(),
    tests: () => runTests(node, env),
    async packages() {
      // Both would emit the same files.
      if (wanted.includes("types")) await checkTypes();
      await prepare({ build: "full" });
      return checkPackages({ env });
    },
  };
  const steps = Object.entries(STEPS).map(([name, what]) => ({
    name,
    what,
    run: runs[/** @type {keyof typeof STEPS} */ (name)],
  }));
  return runSteps(steps.filter(({ name }) => wanted.includes(name)));
}
