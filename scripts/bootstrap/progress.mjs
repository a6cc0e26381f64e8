import process from "node:process";
import { Interrupted } from "./processes.mjs";

const REMINDER_MS = 30_000;

/** On a terminal, the last line says what was started. The next line replaces it. */
const ERASE = process.stderr.isTTY ? "\r\u001B[K" : "";

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
  const elapsed = () => formatDuration(performance.now() - started);
  if (ERASE) process.stderr.write(`${ERASE}… ${label.trim()}`);
  const reminder = setInterval(() => note(`… ${label.trim()} (${elapsed()})`), REMINDER_MS).unref();
  let mark = "✗";
  try {
    const result = await work();
    mark = "✓";
    return result;
  } catch (error) {
    if (error instanceof Interrupted) mark = "·";
    throw error;
  } finally {
    clearInterval(reminder);
    note(`${mark} ${label.padEnd(46)} ${elapsed().padStart(10)}`);
  }
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
