import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";

export const usage = `npm run screenshots

Writes docs/images/console-light.png and console-dark.png, and console.sha256, the hash of the sources that they show.
It needs Chromium on the path.`;

export async function run() {
  const { node, env } = await prepare({ build: "javascript" });
  return runNode(node, ["packages/hookwright/scripts/take-screenshots.ts"], { env });
}
