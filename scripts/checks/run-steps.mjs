import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { Interrupted } from "../bootstrap/children.mjs";
import { formatDuration } from "../bootstrap/progress.mjs";

/**
 * @typedef {import("./steps.mjs").Step} Step
 * @typedef {"passed" | "failed" | "not run"} Outcome
 */

/**
 * Runs the steps, several at once, with a line for each as it ends; then shows what failed.
 *
 * @param {readonly Step[]} steps
 * @param {{
 *   atOnce: number,
 *   progress: import("../bootstrap/progress.mjs").Progress,
 *   write?: (text: string) => void,
 * }} options
 * @returns {Promise<number>} The exit code.
 */
export async function runSteps(
  steps,
  { atOnce, progress, write = (text) => void process.stderr.write(text) },
) {
  const started = performance.now();
  /** @type {Map<string, Outcome>} */
  const outcomes = new Map();
  /** @type {Map<string, string>} */
  const outputs = new Map();
  const waiting = new Set(steps);
  const names = new Set(steps.map(({ name }) => name));
  /** @type {Set<Promise<void>>} */
  const active = new Set();

  /** @param {Step} step */
  const isReady = ({ after }) => after === undefined || !names.has(after) || outcomes.has(after);

  /** @param {Step} step */
  const run = async (step) => {
    if (step.after !== undefined && names.has(step.after) && outcomes.get(step.after) !== "passed") {
      outcomes.set(step.name, "not run");
      progress.note(`${step.name} not run, since ${step.after} did not pass`);
      return;
    }
    const { passed, output } = await runStep(step, progress);
    outcomes.set(step.name, passed ? "passed" : "failed");
    outputs.set(step.name, output);
  };

  while (waiting.size > 0 || active.size > 0) {
    for (const step of waiting) {
      if (active.size >= atOnce) break;
      if (!isReady(step)) continue;
      waiting.delete(step);
      const work = run(step).finally(() => active.delete(work));
      active.add(work);
    }
    await Promise.race(active);
  }

  const failed = steps.filter(({ name }) => outcomes.get(name) !== "passed").map(({ name }) => name);
  for (const notice of [...outputs.values()].flatMap(findNotices)) progress.note(notice);
  const total = formatDuration(performance.now() - started);
  if (failed.length === 0) {
    write(`\n${steps.length === 1 ? "1 step" : `${steps.length} steps`} passed in ${total}\n`);
    return 0;
  }
  const broken = steps.filter(({ name }) => outcomes.get(name) === "failed").map(({ name }) => name);
  // One thing at a time for a person; in CI nobody can run the next one at once.
  for (const name of process.env["CI"] ? broken : broken.slice(0, 1)) {
    write(`\n── ${name} ${"─".repeat(Math.max(3, 76 - name.length))}\n${(outputs.get(name) ?? "").trim()}\n`);
  }
  write(`\n${failed.length} of ${steps.length} steps did not pass (${total}): ${failed.join(", ")}\n`);
  write(`Again: npm run check -- ${failed.join(" ")}\n`);
  return 1;
}

/** @param {Step} step @param {import("../bootstrap/progress.mjs").Progress} progress */
async function runStep(step, progress) {
  let output = "";
  try {
    await progress.step(`${step.name.padEnd(9)} ${step.what}`, async () => {
      const result = await step.run();
      output = result.output;
      if (result.code !== 0) throw new BootstrapError(step.name);
      return result.detail;
    });
    return { passed: true, output };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (output === "")
      output = error instanceof BootstrapError ? `${error.output}\n\n${error.message}` : String(error);
    return { passed: false, output };
  }
}

/** What a passing step has to say nevertheless, such as a suite that could not run here. @param {string} output */
function findNotices(output) {
  return [...stripVTControlCharacters(output).matchAll(/^notice: (.*)$/gm)].map((match) => match[1] ?? "");
}
