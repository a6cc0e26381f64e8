import process from "node:process";
import { keepHeapSmall } from "./heap-settings.ts";

// Must run before other modules are loaded.
keepHeapSmall();
const [{ runCli }, { createKeyboard }] = await Promise.all([import("./cli.ts"), import("@hookwright/cli")]);

// A reader that closes the pipe (`| head`) must not end the server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const exitCode = await runCli({
  commandLine: process.argv.slice(2),
  environment: process.env,
  processId: process.pid,
  isTerminal: process.stdout.isTTY,
  keyboard: createKeyboard(process.stdin, process.stderr, () => process.kill(process.pid, "SIGINT")),
  print(text) {
    process.stdout.write(`${text}\n`);
  },
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  read: () => process.stdin,
  complain(text) {
    process.stderr.write(`${text}\n`);
  },
  onSignal(listener) {
    process.on("SIGINT", listener);
    process.on("SIGTERM", listener);
  },
  onHangUp: (listener) => process.on("SIGHUP", listener),
  exit: (code) => process.exit(code),
});
process.exit(exitCode);
