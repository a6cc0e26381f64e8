import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { describeFailure, ScriptError } from "../bootstrap/errors.mjs";
import { Interrupted } from "../bootstrap/processes.mjs";
import { formatDuration, note, step } from "../bootstrap/progress.mjs";

/** The tests use several processes themselves. */
const AT_ONCE = 2;

/**
 * Something that is checked. Its output is shown if it fails.
 *
 * @typedef {{ name: string, what: string, run: () => Promise<{ code: number | null, output: string }> }} Step
 */

/** Runs the steps, two at a time, then shows the output of those that failed, and of a single step. @param {readonly Step[]} steps */
export async function runSteps(steps) {
  const started = performance.now();
  /** @type {{ name: string, output: string }[]} */
  const failures = [];
  const waiting = [...steps];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const output = await findFailure(next, steps.length === 1);
      if (output !== undefined) failures.push({ name: next.name, output });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const { name, output } of failures) note(`\n── ${name} ${"─".repeat(60)}\n${output.trim()}`);
  const total = formatDuration(performance.now() - started);
  if (failures.length === 0) note(`\n${steps.length} steps passed in ${total}`);
  else {
    const again = `npm run check -- ${failures.map(({ name }) => name).join(" ")}`;
    note(`\n${failures.length} of ${steps.length} steps failed in ${total}. Again: ${again}`);
  }
  return { code: failures.length === 0 ? 0 : 1 };
}

/** What a step printed, if it failed. @param {Step} options @param {boolean} isShown */
async function findFailure({ name, what, run }, isShown) {
  let output = "";
  try {
    await step(`${name.padEnd(9)} ${what}`, async () => {
      const result = await run();
      output = result.output;
      if (result.code !== 0) throw new ScriptError(`${name} failed.`);
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return output || describeFailure(error);
  }
  if (isShown) process.stdout.write(`${output.trim()}\n`);
  // What was counted, and suites whose program is missing: each test file that needs it says so.
  const notices = stripVTControlCharacters(output).match(/^· .*$|^.*\b(?:did|was) not run\b.*$/gm);
  for (const line of new Set(notices)) note(line.startsWith("· ") ? line : `· ${line}`);
  return undefined;
}
