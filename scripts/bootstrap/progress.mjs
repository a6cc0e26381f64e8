import process from "node:process";
import { Interrupted } from "./processes.mjs";

const REMINDER_MS = 30_000;

/** On a terminal, the last line says what was started. The next line replaces it. */
const ERASE = process.stderr.isTTY ? "\r\u001B[K" : "";

/** When each piece of work that is under way was started, by its name. @type {Map<string, number>} */
const underWay = new Map();

/** @type {NodeJS.Timeout | undefined} */
let reminder;

/** Prints to stderr: stdout belongs to the program that is started. @param {string} text */
export function note(text) {
  process.stderr.write(`${ERASE}${text}\n`);
}

/**
 * Runs `work` and prints one line when it ends, and every 30 seconds a line that it still runs.
 *
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const started = performance.now();
  underWay.set(label, started);
  if (ERASE) process.stderr.write(`${ERASE}… ${label.trim()}`);
  reminder ??= setInterval(remind, REMINDER_MS).unref();
  let mark = "✗";
  try {
    const result = await work();
    mark = "✓";
    return result;
  } catch (error) {
    if (error instanceof Interrupted) mark = "·";
    throw error;
  } finally {
    underWay.delete(label);
    note(`${mark} ${label.padEnd(46)} ${formatDuration(performance.now() - started).padStart(10)}`);
    if (underWay.size === 0) reminder = void clearInterval(reminder);
  }
}

function remind() {
  const names = Array.from(
    underWay,
    ([label, started]) => `${label} (${formatDuration(performance.now() - started)})`,
  );
  note(`… ${names.join(", ")}`);
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
