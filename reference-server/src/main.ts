#!/usr/bin/env node
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runCli } from "./cli.ts";

// A server with a backlog holds little and lets go of much. By default the heap grows to about four times what it holds
// before it is cleaned up; so it is 1.4 times, for a little more work of the collector's own threads.
setFlagsFromString("--heap-growing-percent=40");

// Whoever reads the output may go away (`| head`): that must not end a server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const exitCode = await runCli({
  commandLine: process.argv.slice(2),
  environment: process.env,
  isTerminal: process.stdout.isTTY,
  print: (text) => process.stdout.write(`${text}\n`),
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  read: () => process.stdin,
  complain: (text) => process.stderr.write(`${text}\n`),
  onSignal(listener) {
    process.on("SIGINT", listener);
    process.on("SIGTERM", listener);
  },
  exit: (code) => process.exit(code),
});
process.exit(exitCode);
