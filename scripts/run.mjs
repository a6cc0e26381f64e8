// `node scripts/run.mjs COMMAND [ARGUMENTS]` runs a file of scripts/commands. This file is in the syntax of old Node versions,
// so that they print the error below instead of a syntax error.
import process from "node:process";

if (Number(process.versions.node.split(".")[0]) < 18) {
  process.stderr.write(
    "Node " + process.versions.node + " is too old. Install Node 26 and run the command again.\n",
  );
  process.exit(1);
}

import("./bootstrap/main.mjs").then(({ main }) => main(process.argv[2] ?? "", process.argv.slice(3)));
