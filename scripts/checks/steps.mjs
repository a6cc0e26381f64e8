import os from "node:os";
import path from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { prepare } from "../bootstrap/prepare.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";
import { onLeash } from "../bootstrap/run-target.mjs";

/**
 * One thing that is proved of the repository. What `run` prints is shown when it fails.
 *
 * @typedef {{
 *   name: string,
 *   what: string,
 *   after?: string,
 *   run: () => Promise<{ code: number, output: string, detail?: string }>,
 * }} Step `after`: the step without whose success this one means nothing.
 */

/**
 * Every step of `npm test`, in the order in which they are started.
 *
 * @param {{ root: string, node: string, env: NodeJS.ProcessEnv }} options
 * @returns {Step[]}
 */
export function listSteps({ root, node, env: plainEnv }) {
  // Tools colour their words for a terminal only, and ours read them through a pipe.
  const env = process.stderr.isTTY && !plainEnv["NO_COLOR"] ? { ...plainEnv, FORCE_COLOR: "1" } : plainEnv;
  const tool = (/** @type {string} */ command) => () =>
    runCommand(command, [], { cwd: root, env, shell: true });
  const script = (/** @type {string} */ file) => () =>
    runCommand(node, [path.join(root, "scripts", "checks", file)], { cwd: root, env });
  const buildInfo = path.join("node_modules", ".cache", "hookwright", "tsc.tsbuildinfo");
  return [
    { name: "build", what: "every package with its declarations", run: () => build({ root, env }) },
    {
      name: "types",
      what: "tsc",
      run: tool(`tsc -p tsconfig.json --incremental --tsBuildInfoFile ${buildInfo}`),
    },
    { name: "lint", what: "oxlint", run: tool("oxlint --deny-warnings") },
    { name: "format", what: "oxfmt", run: tool("oxfmt --check") },
    { name: "imports", what: "direction, declarations, cycles", run: script("import-direction.mjs") },
    { name: "tests", what: "vitest", after: "build", run: () => runTests({ root, node, env }) },
    { name: "packages", what: "publint, are the types wrong", after: "build", run: script("packaging.mjs") },
    {
      name: "installed",
      what: "types where the packages are installed",
      after: "build",
      run: script("installed-types.mjs"),
    },
    { name: "unused", what: "knip", run: tool("knip --no-progress") },
  ];
}

/** The command line of vitest for a program of our Node. @param {string} root */
export function vitestCommand(root) {
  return [path.join(root, "node_modules", "vitest", "vitest.mjs"), "run"];
}

/** As many steps at once as there are cores, within reason: the tests themselves use several. */
export const STEPS_AT_ONCE = Math.max(2, Math.min(4, os.cpus().length));

/** @param {{ root: string, env: NodeJS.ProcessEnv }} options */
async function build({ root, env }) {
  // The step has a line of its own, so the build prints none.
  const silent = {
    step: async (/** @type {string} */ _label, /** @type {() => Promise<unknown>} */ work) =>
      void (await work()),
    note: () => {},
  };
  await prepare({ root, build: { of: "all", kind: "full" }, env, progress: silent });
  return { code: 0, output: "" };
}

/** @param {{ root: string, node: string, env: NodeJS.ProcessEnv }} options */
async function runTests({ root, node, env }) {
  // What fails, and not the hundreds of files that do not; but everything a test has to say.
  const leashed = onLeash([...vitestCommand(root), "--reporter=minimal", "--silent=false"], env);
  const { code, output } = await runCommand(node, leashed.args, { cwd: root, env: leashed.env });
  const [, detail = ""] = /^\s*Tests\s+(.*?)\s*(?:\(\d+\))?$/m.exec(stripVTControlCharacters(output)) ?? [];
  return { code, output, detail };
}
