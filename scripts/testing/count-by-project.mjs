import process from "node:process";
import { formatDuration } from "../bootstrap/progress.mjs";

/**
 * A reporter of vitest: how many tests each project ran, and how long. Files run at the same time, so their times are added up.
 * Then the tests that passed on the second try, with the error of the first.
 */
export default class CountByProject {
  /** @param {readonly import("vitest/node").TestModule[]} modules */
  onTestRunEnd(modules) {
    /** @type {Map<string, { files: number, ran: number, skipped: number, ms: number }>} */
    const projects = new Map();
    /** @type {import("vitest/node").TestCase[]} */
    const secondTries = [];
    for (const module of modules) {
      const counted = projects.get(module.project.name) ?? { files: 0, ran: 0, skipped: 0, ms: 0 };
      const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
        module.diagnostic();
      counted.files += 1;
      counted.ms += environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
      for (const test of module.children.allTests()) {
        counted[test.result().state === "skipped" ? "skipped" : "ran"] += 1;
        if (test.diagnostic()?.flaky) secondTries.push(test);
      }
      projects.set(module.project.name, counted);
    }
    const all = { files: 0, ran: 0, skipped: 0, ms: 0 };
    for (const { files, ran, skipped, ms } of projects.values()) {
      all.files += files;
      all.ran += ran;
      all.skipped += skipped;
      all.ms += ms;
    }
    for (const [name, counted] of [...projects, /** @type {const} */ (["together", all])])
      process.stdout.write(`${toLine(name, counted)}\n`);
    for (const test of secondTries)
      process.stdout.write(
        `· passed on the second try: ${test.module.relativeModuleId} > ${test.fullName}: ${test.result().errors?.[0]?.message}\n`,
      );
  }
}

/** @param {string} name @param {{ files: number, ran: number, skipped: number, ms: number }} counted */
function toLine(name, { files, ran, skipped, ms }) {
  const tests = `${ran.toLocaleString("en")} tests`.padStart(12);
  const rest = skipped === 0 ? "" : `, ${skipped.toLocaleString("en")} skipped`;
  return `· ${name.padEnd(12)}${tests} in ${files} files, ${formatDuration(ms)} of work${rest}`;
}
