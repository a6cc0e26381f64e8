import "./bootstrap/require-node-18.mjs";
import path from "node:path";
import process from "node:process";

const { createProgress } = await import("./bootstrap/progress.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { isHelpShown, refuseArguments } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { ensurePnpm } = await import("./bootstrap/toolchain.mjs");
const { readWorkspace } = await import("./bootstrap/workspace.mjs");
const { describePacked } = await import("./packing/describe-packed.mjs");
const { packPackages } = await import("./packing/pack-packages.mjs");

const usage =
  "npm run pack\n\nBuilds all packages, packs those that are published into packed/, and says how to install them.";

await main(async () => {
  const args = process.argv.slice(2);
  if (isHelpShown({ args, usage })) return;
  refuseArguments({ args, command: "npm run pack" });
  const progress = createProgress();
  const { env } = await prepare({ root: ROOT, build: { of: "all", kind: "full" }, progress });
  const pnpm = await ensurePnpm({ root: ROOT, env, progress });
  const folder = path.join(ROOT, "packed");
  const workspace = readWorkspace(ROOT);
  /** @type {ReadonlyMap<string, string>} */
  let packed = new Map();
  await progress.step("packing", async () => {
    packed = await packPackages({ workspace, folder, pnpm, env });
  });
  process.stdout.write(`\n${describePacked({ workspace, packed, folder })}\n`);
});
