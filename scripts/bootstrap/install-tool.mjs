import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { BootstrapError } from "./bootstrap-error.mjs";
import { findNpm } from "./npm-command.mjs";
import { runCommand } from "./run-command.mjs";

const TEMPORARY_PREFIX = ".installing-";
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Puts one npm package into the cache and answers its folder. It is installed and tried in a temporary folder and then
 * renamed, so a half-installed one is never seen, and of two runs at once the later one keeps what the first has made.
 *
 * @param {{
 *   cacheFolder: string,
 *   packageName: string,
 *   version: string,
 *   target: string,
 *   env: NodeJS.ProcessEnv,
 *   proveItWorks: (packageFolder: string) => Promise<void>,
 * }} options `target`: `linux-x64` and the like, since a home folder may be shared between machines.
 */
export async function installTool({ cacheFolder, packageName, version, target, env, proveItWorks }) {
  const installed = toolFolder({ cacheFolder, packageName, version, target });
  mkdirSync(cacheFolder, { recursive: true });
  removeAbandoned(cacheFolder);
  const temporary = mkdtempSync(path.join(cacheFolder, TEMPORARY_PREFIX));
  const removeTemporary = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  // A signal ends the process from wherever it is; an exit listener cleans up then too.
  process.once("exit", removeTemporary);
  try {
    // Without a package.json of its own npm would look for one further up.
    writeFileSync(path.join(temporary, "package.json"), "{}\n");
    await npmInstall({ folder: temporary, specifier: `${packageName}@${version}`, env });
    await proveItWorks(path.join(temporary, "node_modules", packageName));
    moveIntoPlace(temporary, path.join(cacheFolder, folderName({ packageName, version, target })));
  } finally {
    process.off("exit", removeTemporary);
    removeTemporary();
  }
  return installed;
}

/** @param {{ cacheFolder: string, packageName: string, version: string, target: string }} options */
export function toolFolder({ cacheFolder, packageName, version, target }) {
  return path.join(cacheFolder, folderName({ packageName, version, target }), "node_modules", packageName);
}

/** @param {{ packageName: string, version: string, target: string }} options */
function folderName({ packageName, version, target }) {
  return `${packageName}-${version}-${target}`;
}

/** What a run that was killed has left behind. @param {string} cacheFolder */
function removeAbandoned(cacheFolder) {
  for (const name of readdirSync(cacheFolder)) {
    const folder = path.join(cacheFolder, name);
    const touched = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (name.startsWith(TEMPORARY_PREFIX) && Date.now() - touched > ABANDONED_AFTER_MS)
      rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} from @param {string} to */
function moveIntoPlace(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    // A parallel run was first; what it has put there was tried as well.
    if (!existsSync(to)) throw error;
  }
}

/** @param {{ folder: string, specifier: string, env: NodeJS.ProcessEnv }} options */
async function npmInstall({ folder, specifier, env }) {
  const npm = findNpm({ env, execPath: process.execPath, platform: process.platform });
  const flags = [
    // What the user may have set for npm at large, or given to the very `npm start` that runs this: it would go elsewhere, or nowhere.
    "--global=false",
    "--location=project",
    "--dry-run=false",
    "--package-lock-only=false",
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
    // Between its tries npm waits for ten seconds, then for sixty: nobody without a network should look at that.
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=10000",
  ];
  const result = await runCommand(
    npm.command,
    [...npm.args, "install", specifier, "--prefix", folder, ...flags],
    {
      cwd: folder,
      env,
      shell: npm.shell,
    },
  ).catch((/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== "ENOENT") throw error;
    throw new BootstrapError(
      `npm was not found. It comes with Node: install Node 26 (https://nodejs.org) and run the command again.`,
    );
  });
  if (result.code === 0) return;
  const output = result.output.trim();
  throw new BootstrapError(
    isNetworkProblem(output)
      ? `${specifier} could not be fetched: the npm registry cannot be reached. Check the network, a proxy, and \`npm config get registry\`, then run the command again. Without a network, install Node 26 yourself.`
      : `npm could not install ${specifier}. Its own words follow; once that is mended, run the command again.`,
    { output },
  );
}

/** @param {string} output */
export function isNetworkProblem(output) {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|META_FETCH_FAIL|network|dns error|error sending request/i.test(
    output,
  );
}
