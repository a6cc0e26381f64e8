// Imported before anything else is, and written in the syntax of the oldest Node that knows ES modules: an older
// Node would otherwise answer with a SyntaxError from somewhere inside.
import process from "node:process";

if (Number(process.versions.node.split(".")[0]) < 18) {
  process.stderr.write(
    "Node " +
      process.versions.node +
      " is too old even to fetch a newer one. Install Node 26 (https://nodejs.org) and run the command again.\n",
  );
  process.exit(1);
}
