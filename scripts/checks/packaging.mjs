import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { ROOT } from "../bootstrap/root.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";
import { readWorkspace } from "../bootstrap/workspace.mjs";

// Looks at each package as a stranger receives it: packed as it is published, with versions in place of `workspace:`.
const folder = mkdtempSync(path.join(os.tmpdir(), "hookwright-packed-"));
try {
  for (const { name, folder: source, manifest } of readWorkspace(ROOT)) {
    if (manifest.private !== true) await check(name, source, hasTypedEntry(manifest.exports));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} name @param {string} source @param {boolean} typed */
async function check(name, source, typed) {
  const tarball = path.join(folder, `${name.replace("/", "-")}.tgz`);
  await run(name, source, `pnpm pack --out "${tarball}"`);
  await run(name, source, `publint run "${tarball}" --strict`);
  // A program without an entry point has no types to be wrong.
  if (typed) await run(name, source, `attw "${tarball}" --profile esm-only --no-definitely-typed --no-emoji`);
}

/** @param {string} name @param {string} cwd @param {string} command */
async function run(name, cwd, command) {
  const { code, output } = await runCommand(command, [], { cwd, env: process.env, shell: true });
  if (code === 0) return;
  process.stdout.write(`${name}: ${command.split(" ", 1)[0]}\n${output.trim()}\n\n`);
  process.exitCode = 1;
}

/** @param {unknown} exports @returns {boolean} */
function hasTypedEntry(exports) {
  if (typeof exports !== "object" || exports === null) return false;
  return "types" in exports || Object.values(exports).some(hasTypedEntry);
}
