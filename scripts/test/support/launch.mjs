// What a script of this repository does, with a program of the test's choice.
import process from "node:process";
import { main } from "../../bootstrap/main.mjs";
import { runTarget } from "../../bootstrap/run-target.mjs";

await main(() =>
  runTarget({ node: process.execPath, args: process.argv.slice(2), cwd: process.cwd(), env: process.env }),
);
