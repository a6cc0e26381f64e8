import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";
import { collectDependencies, runtimeNeeds } from "../bootstrap/workspace.mjs";
import { programOf } from "./read-guide.mjs";

/**
 * Prepares an empty folder as a guide says: the packages that its commands name, ours from their tarballs. Frameworks that a file
 * imports and no command names are those that the reader already has; they are installed in the versions that the docs are tested with.
 *
 * @param {{
 *   guide: import("./read-guide.mjs").Guide,
 *   home: string,
 *   workspace: readonly import("../bootstrap/workspace.mjs").WorkspacePackage[],
 *   packed: ReadonlyMap<string, string>,
 *   frameworks: Readonly<Record<string, string>>,
 *   env: NodeJS.ProcessEnv,
 * }} options `frameworks`: version by name.
 */
export async function installGuidePackages({ guide, home, workspace, packed, frameworks, env }) {
  mkdirSync(home, { recursive: true });
  const npm = guide.commands.filter((command) => programOf(command) === "npm");
  const preparing = npm.filter((command) => /^npm (?:init|pkg) /.test(command));
  // Without `npm init` the reader has a project already; the guides say that it has to be one of ES modules.
  if (preparing.length === 0)
    writeFileSync(path.join(home, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const command of preparing) await run(command, { home, env });

  const named = npm
    .filter((command) => /^npm (?:install|i) /.test(command))
    .flatMap((command) => command.split(/\s+/).slice(2))
    .filter((word) => !word.startsWith("-"));
  const imported = guide.files
    .filter(({ name }) => guide.servers.includes(name))
    .flatMap(({ code }) => listImportedPackages(code))
    .filter((name) => !packed.has(name) && !named.includes(name));
  const unknown = imported.filter((name) => !(name in frameworks));
  if (unknown.length > 0)
    throw new BootstrapError(`No install command of the guide names ${unknown.join(", ")}.`);
  const words = [...named, ...imported].flatMap((name) => {
    if (!packed.has(name)) return name in frameworks ? `${name}@${frameworks[name]}` : name;
    // With all of ours that it needs: npm would look for those on the registry.
    return collectDependencies(workspace, name, runtimeNeeds).flatMap(
      (needed) => packed.get(needed.name) ?? [],
    );
  });
  const flags = "--no-audit --no-fund --prefer-offline --loglevel=error";
  const quoted = [...new Set(words)].map((word) => `"${word}"`);
  await run(`npm install ${flags} ${quoted.join(" ")}`, { home, env });
}

/** Names of packages, without those of Node and relative files. @param {string} code */
function listImportedPackages(code) {
  return [...code.matchAll(/\bfrom "([^."][^"]*)"/g)]
    .map(([, specifier = ""]) => specifier)
    .filter((specifier) => !specifier.startsWith("node:"))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
}

/** @param {string} command @param {{ home: string, env: NodeJS.ProcessEnv }} options */
async function run(command, { home, env }) {
  const { code, output } = await runCommand(command, [], { cwd: home, env, shell: true });
  if (code !== 0) throw new BootstrapError(`\`${command}\` failed.`, { output: output.trim() });
}
