import "./bootstrap/require-node-18.mjs";
import process from "node:process";

const { BootstrapError } = await import("./bootstrap/bootstrap-error.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { createProgress } = await import("./bootstrap/progress.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runSteps } = await import("./checks/run-steps.mjs");
const { listSteps, STEPS_AT_ONCE } = await import("./checks/steps.mjs");

await main(async () => {
  const progress = createProgress();
  const { node, env } = await prepare({ root: ROOT, withPnpm: true, progress });
  const steps = listSteps({ root: ROOT, node, env });
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new BootstrapError(
      `There is no step "${unknown.join('", "')}". Choose among: ${steps.map(({ name }) => name).join(", ")}.`,
    );
  const chosen = steps.filter(({ name }) => (wanted.length > 0 ? wanted.includes(name) : name !== "tests"));
  return runSteps(chosen, { atOnce: STEPS_AT_ONCE, progress });
});
