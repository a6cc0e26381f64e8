import "./bootstrap/require-node-18.mjs";
import process from "node:process";

const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { isHelpShown, refuseArguments } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");

const usage = "npm run build\n\nBuilds each package, with its declarations, whose sources have changed.";

await main(async () => {
  const args = process.argv.slice(2);
  if (isHelpShown({ args, usage })) return;
  refuseArguments({ args, command: "npm run build" });
  await prepare({ root: ROOT, build: { of: "all", kind: "full" } });
});
