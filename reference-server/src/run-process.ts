import process from "node:process";
import { keepHeapSmall } from "./heap-settings.ts";

// Must run before other modules are loaded.
keepHeapSmall();
const [{ runCli }, { createKeyboard, openStandardOutput }] = await Promise.all([
  import("./cli.ts"),
  import("@hookwright/cli"),
]);

// An output that cannot be written must not end the server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

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
    process.on("SIGINT", listener);
    process.on("SIGTERM", listener);
  },
  onHangUp: (listener) => process.on("SIGHUP", listener),
  exit: (code) => process.exit(code),
});
process.exit(await finish(exitCode));
