// Preloaded into the programs that a script starts: if the script is killed by SIGKILL, the program ends itself as SIGTERM ends it.
import process from "node:process";
import { isMainThread } from "node:worker_threads";

const POLL_MS = 250;

/**
 * Sends SIGTERM to this process when its parent or one of the other processes has ended. The kernel then gives it another parent.
 *
 * @param {number} parent
 * @param {readonly number[]} [others]
 */
export function endWith(parent, others = []) {
  const timer = setInterval(() => {
    if (process.ppid === parent && others.every(isAlive)) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, POLL_MS).unref();
}

/** @param {number} processId */
export function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

// Worker threads and children inherit the preload, but must not watch.
const holder = Number(process.env["HOOKWRIGHT_LEASH"]);
if (isMainThread && holder > 0) {
  delete process.env["HOOKWRIGHT_LEASH"];
  endWith(holder);
}
