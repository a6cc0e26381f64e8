// Does what a command of this repository does, with a program that the test chooses.
import process from "node:process";
import { exitLike, forwardSignals, runNode } from "../../bootstrap/processes.mjs";

forwardSignals();
exitLike(await runNode(process.execPath, process.argv.slice(2), {}));
