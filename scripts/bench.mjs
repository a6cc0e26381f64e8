import "./bootstrap/require-node-18.mjs";
import { readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const { BootstrapError } = await import("./bootstrap/bootstrap-error.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { isHelpShown } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runTarget } = await import("./bootstrap/run-target.mjs");

/** Each file there is a bench; what it needs beside it lies in a folder. */
const FOLDERS = ["reference-server/bench", "packages/signature/bench"];

/** These run for minutes, so they run only by their name. */
const ONLY_BY_NAME = new Set(["attacks"]);

await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  const benches = new Map(
    FOLDERS.flatMap((folder) =>
      readdirSync(path.join(ROOT, folder))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => /** @type {const} */ ([file.slice(0, -3), path.join(ROOT, folder, file)])),
    ),
  );
  const offered = [...benches.keys()].sort();
  const runWithoutName = offered.filter((bench) => !ONLY_BY_NAME.has(bench));
  const usage = [
    "npm run bench [-- NAME [arguments of the bench]]",
    "",
    `Runs one of these, or all of them one after the other: ${runWithoutName.join(", ")}.`,
    `These run only by their name: ${[...ONLY_BY_NAME].join(", ")}; \`npm run bench -- NAME --help\` says how.`,
  ];
  // Behind a name it is the bench's own.
  if (isHelpShown({ args: process.argv.slice(2, 3), usage: usage.join("\n") })) return;
  if (name !== undefined && !offered.includes(name))
    throw new BootstrapError(
      `There is no bench "${name}". Choose one of: ${offered.join(", ")}; or none, to run them all.`,
    );

  const { node, env } = await prepare({
    root: ROOT,
    build: { of: "@hookwright/reference-server", kind: "javascript" },
  });
  // One after the other: two at once would measure each other.
  for (const bench of name === undefined ? runWithoutName : [name]) {
    const begun = performance.now();
    const ended = await runTarget({
      node,
      args: [benches.get(bench) ?? "", ...args],
      cwd: ROOT,
      env,
    });
    if (ended.code !== 0) return ended;
    process.stderr.write(`${bench} took ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`);
  }
  return 0;
});
