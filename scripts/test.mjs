import "./bootstrap/require-node-18.mjs";
import process from "node:process";

const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { createProgress } = await import("./bootstrap/progress.mjs");
const { isHelpShown } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runTarget } = await import("./bootstrap/run-target.mjs");
const { runSteps } = await import("./checks/run-steps.mjs");
const { listSteps, STEPS_AT_ONCE, vitestCommand } = await import("./checks/steps.mjs");

const usage = `npm test [-- PATH … [options of vitest]]

Builds and proves everything, as the CI does. With paths, the tests of those folders and files alone: npm test -- packages/cursor`;

await main(async () => {
  const filters = process.argv.slice(2);
  if (isHelpShown({ args: filters, usage })) return;
  if (filters.length > 0) {
    // Some tests start the built server, so it is built even for one of them.
    const { node, env } = await prepare({ root: ROOT, build: { of: "all", kind: "javascript" } });
    return runTarget({ node, args: [...vitestCommand(ROOT), ...filters], cwd: ROOT, env });
  }
  const progress = createProgress();
  const { node, env } = await prepare({ root: ROOT, withPnpm: true, progress });
  return runSteps(listSteps({ root: ROOT, node, env }), { atOnce: STEPS_AT_ONCE, progress });
});
