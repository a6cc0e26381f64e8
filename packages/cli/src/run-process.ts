import process from "node:process";
import { describeBug, exitStatus } from "./cli-error.ts";
import { runCli } from "./run-cli.ts";
import { escapeControls } from "./terminal/escape-controls.ts";
import { runProcess } from "./terminal/run-process.ts";

// Without this, Node ends with 1, which means a negative result.
process.on("uncaughtException", (error) => {
  process.stderr.write(`hookwright: ${escapeControls(describeBug(error))}\n`, () =>
    process.exit(exitStatus.noServer),
  );
});

await runProcess(runCli);
