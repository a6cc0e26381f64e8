import { prepare } from "../bootstrap/prepare.mjs";
import { runNode } from "../bootstrap/processes.mjs";

export const usage = `npm run screenshots

Writes the pictures of the overview and a delivery and the animations (fail, reason, recover) to docs/images, the social card of the
site, and console.sha256, the hash of the sources that they show.
It needs Chromium on the path.`;

export async function run() {
  const { node, env } = await prepare({ build: "javascript" });
  return runNode(node, ["packages/hookwright/scripts/take-screenshots.ts"], { env });
}
