import process from "node:process";
import { describeBug, exitStatus } from "./cli-error.ts";
import { runCli } from "./run-cli.ts";
import { escapeControls } from "./terminal/escape-controls.ts";
import { createKeyboard } from "./terminal/keyboard.ts";
import { openStandardOutput } from "./terminal/standard-output.ts";

// An output that cannot be written must not end a command with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// Without this, Node ends with 1, which means a negative result.
process.on("uncaughtException", (error) => {
  process.stderr.write(`hookwright: ${escapeControls(describeBug(error))}\n`, () =>
    process.exit(exitStatus.noServer),
  );
});

const commandLine = process.argv.slice(2);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);
const output = openStandardOutput({ commandLine, complain });
const status = await runCli({
  commandLine,
  environment: process.env,
  isTerminal: process.stdout.isTTY,
  keyboard: createKeyboard(process.stdin, process.stderr, () => process.kill(process.pid, "SIGINT")),
  print: output.print,
  onOutputEnd: output.onEnd,
  complain,
  read: () => process.stdin,
  onSignal(listener) {
    process.on("SIGINT", listener);
    process.on("SIGTERM", listener);
  },
});
process.exit(await output.finish(status));
