import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

const HEARTBEAT_MS = 2_000;
const STALE_MS = 15_000;
const POLL_MS = 100;

/**
 * Runs `work` while no other run in this clone installs or builds. The owner's death, even by `kill -9`, frees the lock:
 * its process is gone, or (where the number was given to another) its heartbeat is.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ onWait?: (owner: number) => void }} [options]
 * @returns {Promise<T>}
 */
export async function withRunLock(file, work, { onWait } = {}) {
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  while (!acquire(file)) {
    const owner = readOwner(file);
    if (owner !== undefined && isStale(file, owner) && clearAway(file, owner)) continue;
    if (!told && owner !== undefined) onWait?.(owner);
    told ||= owner !== undefined;
    await delay(POLL_MS);
  }
  const release = () => {
    // Whoever was stopped for long, as by Ctrl-Z, may have been taken for dead.
    if (readOwner(file) === process.pid) rmSync(file, { force: true });
  };
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS).unref();
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off("exit", release);
    release();
  }
}

/** @param {string} file */
function acquire(file) {
  try {
    const descriptor = openSync(file, "wx");
    writeSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of somebody dead. One does so at a time: of two who have seen it, the later would remove what the earlier has put in
 * its place.
 *
 * @param {string} file
 * @param {number} owner
 * @returns {boolean} Whether that was this one's turn.
 */
function clearAway(file, owner) {
  const turn = `${file}.clearing`;
  if (!acquire(turn)) {
    const other = readOwner(turn);
    if (other !== undefined && isStale(turn, other)) rmSync(turn, { force: true });
    return false;
  }
  try {
    if (readOwner(file) === owner && isStale(file, owner)) rmSync(file, { force: true });
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

/** @param {string} file */
function readOwner(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} file @param {number} owner */
function isStale(file, owner) {
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (touched === undefined) return false;
  const silentMs = Date.now() - touched;
  // An empty file is one whose owner is between creating and writing it.
  if (owner === 0) return silentMs > POLL_MS * 10;
  return silentMs > STALE_MS || !isAlive(owner);
}

/** @param {number} processId */
export function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} file */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The folder was removed under us; the release at the end has nothing to do then.
  }
}
