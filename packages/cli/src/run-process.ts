import process from "node:process";
import { describeBug, exitStatus } from "./cli-error.ts";
import { runCli } from "./run-cli.ts";
import { escapeControls } from "./terminal/escape-controls.ts";
import { createKeyboard } from "./terminal/keyboard.ts";

// A reader that closes the pipe (`| head`) must not end a command with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// Without this, Node ends with 1, which means a negative result.
process.on("uncaughtException", (error) => {
  process.stderr.write(`hookwright: ${escapeControls(describeBug(error))}\n`, () =>
    process.exit(exitStatus.noServer),
  );
});

const status = await runCli({
  commandLine: process.argv.slice(2),
  environment: process.env,
  isTerminal: process.stdout.isTTY,
  keyboard: createKeyboard(process.stdin, process.stderr, () => process.kill(process.pid, "SIGINT")),
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  read: () => process.stdin,
  onSignal(listener) {
    process.on("SIGINT", listener);
    process.on("SIGTERM", listener);
  },
});
// `process.exit` alone would lose output that a slow pipe has not taken yet.
process.stdout.write("", () => process.exit(status));
