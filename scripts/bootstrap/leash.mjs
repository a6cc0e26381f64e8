// Preloaded into the programs that a script starts: if the script is killed by SIGKILL, the program ends itself as SIGTERM ends it.
import process from "node:process";
import { isMainThread } from "node:worker_threads";

const holder = Number(process.env["HOOKWRIGHT_LEASH"]);
// Worker threads and children inherit the preload, but must not watch.
if (isMainThread) delete process.env["HOOKWRIGHT_LEASH"];

if (isMainThread && holder > 0) {
  const timer = setInterval(() => {
    if (process.ppid === holder) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, 250).unref();
}
