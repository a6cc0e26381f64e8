import { constants } from "node:os";
import process from "node:process";
import { keepHeapSmall } from "./heap-settings.ts";
import type { StopSignal } from "./program.ts";

// Must run before other modules are loaded.
keepHeapSmall();
const [{ runCli }, { createKeyboard, openStandardOutput }] = await Promise.all([
  import("./cli.ts"),
  import("@hookwright/cli"),
]);

const stopSignals = ["SIGINT", "SIGTERM"] as const;

// An output that cannot be written must not end the server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// The first process of a container ignores a signal without a listener.
const endBySignal = (signal: StopSignal): void => process.exit(128 + constants.signals[signal]);
if (process.pid === 1) for (const signal of stopSignals) process.on(signal, endBySignal);

const commandLine = process.argv.slice(2);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);
const { finish, onEnd: onOutputEnd, ...output } = openStandardOutput({ commandLine, complain });
const exitCode = await runCli({
  commandLine,
  environment: process.env,
  processId: process.pid,
  isTerminal: process.stdout.isTTY,
  keyboard: createKeyboard(process.stdin, process.stderr, () => process.kill(process.pid, "SIGINT")),
  ...output,
  onOutputEnd,
  read: () => process.stdin,
  complain,
  onSignal(listener) {
    for (const signal of stopSignals) process.off(signal, endBySignal).on(signal, listener);
  },
  onHangUp: (listener) => process.on("SIGHUP", listener),
  exit: (code) => process.exit(code),
});
process.exit(await finish(exitCode));
