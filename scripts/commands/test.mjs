import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";
import { runChecks } from "./check.mjs";

export const usage = `npm test [-- PATH … [options of vitest]]

Builds and checks everything, as the CI does. With arguments it runs vitest: npm test -- packages/cursor
\`npm run test:unit\` runs the tests that need no build; with \`-- --watch\` again after each change.`;

/** @param {readonly string[]} args */
export async function run(args) {
  // The tests include the check of imports.
  if (args.length === 0)
    return runChecks(["lint", "format", "types", "unused", "licences", "tests", "packages"]);
  const needsBuild = !args.join(" ").includes("--project unit");
  const { node, env } = await prepare(needsBuild ? { build: "javascript" } : {});
  const mode = args.includes("--watch") ? "watch" : "run";
  return runNode(node, ["node_modules/vitest/vitest.mjs", mode, ...args], { env });
}
