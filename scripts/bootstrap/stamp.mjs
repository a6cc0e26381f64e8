import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** @param {string} file @returns {unknown} `undefined` when there is none, or none that can be read. */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} file @param {unknown} value */
export function writeStamp(file, value) {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(value));
  renameSync(temporary, file);
}

/** @param {string} file */
export function removeStamp(file) {
  rmSync(file, { force: true });
}
