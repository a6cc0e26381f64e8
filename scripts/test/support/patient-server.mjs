// A server that writes every signal to a log file and shuts down cleanly after the first signal, with a delay.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";

const [log = "", draining = "0"] = process.argv.slice(2);
const tell = (/** @type {string} */ text) => appendFileSync(log, `${text}\n`);
const server = createServer();

/** @type {string | undefined} */
let endedBy;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (endedBy !== undefined) return;
    endedBy = signal;
    tell(signal);
    setTimeout(() => server.close(() => tell("closed")), Number(draining));
  });
}
server.listen(0, "127.0.0.1", () => {
  tell(`launcher ${process.ppid}`);
  tell(`server ${process.pid}`);
});
