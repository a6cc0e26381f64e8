import { constants } from "node:os";
import process from "node:process";
import { createKeyboard } from "./keyboard.ts";
import type { Program, StopSignal } from "./program.ts";
import { openStandardOutput } from "./standard-output.ts";

const stopSignals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs a program in this process, and ends the process with its exit status.
 *
 * @example
 * await runProcess((program) => runProgram({ program, purpose, version, commands: integratorCommands }));
 */
export async function runProcess(run: (program: Program) => Promise<number>): Promise<void> {
  // An output that cannot be written must not end the program with a stack trace.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

  // The first process of a container ignores a signal without a listener.
  const endBySignal = (signal: StopSignal): void => process.exit(128 + constants.signals[signal]);
  if (process.pid === 1) for (const signal of stopSignals) process.on(signal, endBySignal);

  const commandLine = process.argv.slice(2);
  const complain = (text: string): void => void process.stderr.write(`${text}\n`);
  const { finish, onEnd: onOutputEnd, ...output } = openStandardOutput({ commandLine, complain });
  const status = await run({
    commandLine,
    environment: process.env,
    processId: process.pid,
    isTerminal: process.stdout.isTTY,
    keyboard: createKeyboard(process.stdin, process.stderr, () => process.kill(process.pid, "SIGINT")),
    ...output,
    onOutputEnd,
    complain,
    read: () => process.stdin,
    onSignal(listener) {
      for (const signal of stopSignals) process.off(signal, endBySignal).on(signal, listener);
    },
    onHangUp: (listener) => process.on("SIGHUP", listener),
    exit: (code) => process.exit(code),
  });
  process.exit(await finish(status));
}
