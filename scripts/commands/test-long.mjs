import { randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ScriptError } from "../bootstrap/errors.mjs";
import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";
import { note } from "../bootstrap/progress.mjs";
import { readWorkspace } from "../bootstrap/workspace.mjs";
import { REPORTER } from "../testing/run-tests.mjs";

export const usage = `npm run test:long

Runs the tests that are slow by nature, then every random test with a new seed and more histories.
A failure that a new seed finds is printed with the command that repeats it. It does not fail the run.
TEST_SEED=… runs only the random tests, with this seed, and fails if they fail.`;

/** Numbers of random histories and crashes, unless the environment gives others. */
const COUNTS = {
  DIFFERENTIALS: "10",
  SIMULATIONS: "20",
  HOOKWRIGHT_CRASH_ROUNDS: "20",
  HOOKWRIGHT_POSTGRES_CRASH_ROUNDS: "5",
};

/** Tests whose inputs follow from the seed. */
const RANDOM = /"fast-check"|support\/seed\.ts"|runStoreContract\(/;

/** @param {readonly string[]} args */
export async function run(args) {
  if (args.length > 0) throw new ScriptError(`\`npm run test:long\` takes no arguments: ${args.join(" ")}`);
  const { node, env } = await prepare({ build: "javascript" });
  const vitest = (/** @type {string[]} */ args, more = {}) =>
    runNode(
      node,
      ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", `--reporter=${REPORTER}`, ...args],
      {
        env: { ...COUNTS, ...env, ...more },
      },
    );

  const random = ["--tags-filter=!long", ...findTests(RANDOM)];
  if (env["TEST_SEED"] !== undefined) return vitest(random);

  const slow = await vitest(["--tags-filter=long", ...findTests(/\btags\b.*"long"|@module-tag long/)]);
  // At once: the CI may end the rest when its time is over.
  if (slow.code !== 0) return slow;
  const seed = String(randomInt(2 ** 31));
  note(`\nRandom tests with the new seed ${seed}`);
  const { code, signal } = await vitest(random, { TEST_SEED: seed });
  if (signal) return { code, signal };
  // A new seed finds what an earlier change broke, so it does not refuse the present one.
  if (code !== 0) note(`\nWARNING: random tests failed. Again: TEST_SEED=${seed} npm run test:long`);
  return { code: 0 };
}

/** The test files with such a text. @param {RegExp} text */
function findTests(text) {
  return readWorkspace()
    .map(({ folder }) => path.join(folder, "test"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => {
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
      return names.map((name) => path.join(folder, name));
    })
    .filter((file) => file.endsWith(".test.ts") && text.test(readFileSync(file, "utf8")));
}
