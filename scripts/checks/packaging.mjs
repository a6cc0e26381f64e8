import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { main } from "../bootstrap/main.mjs";
import { ROOT } from "../bootstrap/root.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";
import { readWorkspace } from "../bootstrap/workspace.mjs";

// Looks at each package as a stranger receives it: packed as it is published, with versions in place of `workspace:`.
await main(async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "hookwright-packed-"));
  try {
    let passed = true;
    for (const { name, folder: source, manifest } of readWorkspace(ROOT)) {
      if (manifest.private === true) continue;
      const commands = listCommands(path.join(folder, `${name.replace("/", "-")}.tgz`), manifest);
      for (const command of commands) passed = (await run(name, source, command)) && passed;
    }
    return passed ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} tarball @param {import("../bootstrap/workspace.mjs").Manifest} manifest */
function listCommands(tarball, { exports }) {
  return [
    `pnpm pack --out "${tarball}"`,
    `publint run "${tarball}" --strict`,
    // A program without an entry point has no types to be wrong.
    ...(hasTypedEntry(exports)
      ? [`attw "${tarball}" --profile esm-only --no-definitely-typed --no-emoji`]
      : []),
  ];
}

/** @param {string} name @param {string} cwd @param {string} command */
async function run(name, cwd, command) {
  const { code, output } = await runCommand(command, [], { cwd, env: process.env, shell: true });
  if (code === 0) return true;
  process.stdout.write(`${name}: ${command.split(" ", 1)[0]}\n${output.trim()}\n\n`);
  return false;
}

/** @param {unknown} exports @returns {boolean} */
function hasTypedEntry(exports) {
  if (typeof exports !== "object" || exports === null) return false;
  return "types" in exports || Object.values(exports).some(hasTypedEntry);
}
