import "./bootstrap/require-node-18.mjs";
import process from "node:process";

const { BootstrapError } = await import("./bootstrap/bootstrap-error.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { createProgress } = await import("./bootstrap/progress.mjs");
const { isHelpShown } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runSteps } = await import("./checks/run-steps.mjs");
const { listSteps, STEPS_AT_ONCE } = await import("./checks/steps.mjs");

await main(async () => {
  const wanted = process.argv.slice(2);
  const known = listSteps({ root: ROOT, node: process.execPath, env: process.env });
  const names = known.map(({ name, what }) => `  ${name.padEnd(9)} ${what}`);
  const usage = [
    "npm run check [-- STEP …]",
    "",
    "Runs these steps; without a name all but the tests:",
    "",
    ...names,
  ];
  if (isHelpShown({ args: wanted, usage: usage.join("\n") })) return;
  const unknown = wanted.filter((name) => !known.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new BootstrapError(
      `There is no step "${unknown.join('", "')}". Choose among: ${known.map(({ name }) => name).join(", ")}.`,
    );
  const progress = createProgress();
  const { node, env } = await prepare({ root: ROOT, withPnpm: true, progress });
  const steps = listSteps({ root: ROOT, node, env });
  const chosen = steps.filter(({ name }) => (wanted.length > 0 ? wanted.includes(name) : name !== "tests"));
  return runSteps(chosen, { atOnce: STEPS_AT_ONCE, progress });
});
