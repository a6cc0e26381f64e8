// Preloaded into the program that a script starts (`node --import`), so that even `kill -9` of the script leaves nothing behind:
// the program then ends itself the way SIGTERM ends it.
import process from "node:process";
import { isMainThread } from "node:worker_threads";

const POLL_MS = 250;
const GRACE_MS = 20_000;

const holder = Number(process.env["HOOKWRIGHT_LEASH"]);
// Workers and forks inherit the preload; the leash is on the first process alone.
if (isMainThread) delete process.env["HOOKWRIGHT_LEASH"];

if (isMainThread && holder > 0) {
  const timer = setInterval(() => {
    if (holderLives()) return;
    clearInterval(timer);
    setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE_MS).unref();
    process.kill(process.pid, "SIGTERM");
  }, POLL_MS).unref();
}

function holderLives() {
  if (process.platform !== "win32") return process.ppid === holder;
  try {
    process.kill(holder, 0);
    return true;
  } catch {
    return false;
  }
}
