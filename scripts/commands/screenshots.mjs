import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";

export const usage = "npm run screenshots\n\nWrites docs/images/console.png. It needs Chromium on the path.";

export async function run() {
  const { node, env } = await prepare({ build: "javascript" });
  return runNode(node, ["packages/hookwright/scripts/take-screenshots.ts"], { env });
}
