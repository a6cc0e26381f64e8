import "./bootstrap/require-node-18.mjs";
import path from "node:path";
import process from "node:process";

const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runTarget } = await import("./bootstrap/run-target.mjs");

await main(async () => {
  const { node, env } = await prepare({
    root: ROOT,
    build: { of: "@hookwright/reference-server", kind: "javascript" },
  });
  const args = process.argv.slice(2);
  const server = path.join(ROOT, "reference-server", "dist", "main.js");
  return runTarget({
    node,
    args: [server, ...(args.length > 0 ? args : ["serve", "--demo"])],
    cwd: process.cwd(),
    env,
  });
});
