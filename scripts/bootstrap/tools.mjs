import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ScriptError } from "./errors.mjs";
import { run } from "./processes.mjs";
import { note, step } from "./progress.mjs";
import { PROJECT_CACHE, readManifest } from "./workspace.mjs";

/** A folder for each tool. Its `package.json` names npm packages of one version, its `package-lock.json` their hashes. */
const TOOLS = fileURLToPath(new URL("tools", import.meta.url));

export const PINNED_PNPM = readTool("pnpm").version;

const isWindows = process.platform === "win32";
const target = `${process.platform}-${process.arch}`;

/**
 * The settings of the user, also those given to the `npm start` that runs us, must not change what is installed where.
 * By default npm waits for up to a minute between two tries.
 */
const NPM_FLAGS = `--global=false --location=project --dry-run=false --package-lock-only=false
  --package-lock --ignore-scripts --include=optional --no-audit --no-fund --no-progress --loglevel=error
  --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=10000`.split(/\s+/);

/** Whether this Node is new enough for the dependencies and not newer than the tests. @param {string} version */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return (major === 22 && minor >= 19) || (major === 24 && minor >= 11) || major === 26;
}

/** The path of a Node that can run the project: the current one if it is supported, otherwise the pinned one. */
export async function ensureNode({ env = process.env, version = process.versions.node } = {}) {
  if (isSupportedNode(version)) return process.execPath;
  return ensureTool({ name: "node", program: isWindows ? "bin/node.exe" : "bin/node", env });
}

/** The path of pnpm. It is always the pinned version, which wrote the lockfile. */
export async function ensurePnpm({ env = process.env } = {}) {
  // npm 12 blocks install scripts, so this one runs here.
  const setUp = "node_modules/pnpm/install.js";
  return ensureTool({ name: "pnpm", program: isWindows ? "pnpm.exe" : "pnpm", setUp, env });
}

/**
 * Installs a tool in the cache, unless it is there. It is moved to its place when it works, so a half-installed one is never used.
 *
 * @param {{ name: "node" | "pnpm", program: string, setUp?: string, env: NodeJS.ProcessEnv }} options
 */
async function ensureTool({ name, program, setUp, env }) {
  const { packages, version } = readTool(name);
  const find = (/** @type {string} */ folder) =>
    packages.map((each) => path.join(folder, "node_modules", each, program)).find((file) => existsSync(file));
  const folder = `${name}-${version}-${target}`;
  const caches = cacheFolders(env);
  const found = caches.map((cache) => find(path.join(cache, folder))).find((file) => file !== undefined);
  if (found !== undefined) return found;

  const temporary = makeTemporary(caches);
  const place = path.join(path.dirname(temporary), folder);
  try {
    await step(`${name} ${version}`, async () => {
      const isLocked = name === "node" || hasLockedPnpm();
      if (!isLocked) note(`· ${name} ${version} is not checked: its hash for ${target} is not known`);
      // With a lock file npm refuses packages that have another hash.
      for (const file of ["package.json", ...(isLocked ? ["package-lock.json"] : [])])
        copyFileSync(path.join(TOOLS, name, file), path.join(temporary, file));
      const command = [isLocked ? "ci" : "install", "--prefix", temporary, ...NPM_FLAGS];
      const fetched = await runNpm(command, temporary, env);
      if (fetched.code !== 0)
        throw new ScriptError(
          `npm could not install ${name} ${version}. Check the network, a proxy, and \`npm config get registry\`, then run the command again.`,
          fetched,
        );
      const options = { cwd: temporary, env, capture: true };
      if (setUp !== undefined) await run(process.execPath, [setUp], options);
      const file = find(temporary);
      const { output } = file === undefined ? { output: "" } : await run(file, ["--version"], options);
      if (!output.includes(version))
        throw new ScriptError(
          `${name} ${version} does not run on this machine. Install Node 22.19, 24.11 or 26 and run the command again.`,
          { output },
        );
    });
    try {
      renameSync(temporary, place);
    } catch (error) {
      // A parallel run was first.
      if (!existsSync(place)) throw error;
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
  return find(place) ?? "";
}

/** @param {"node" | "pnpm"} name */
function readTool(name) {
  const folder = path.join(TOOLS, name);
  const { dependencies, optionalDependencies } = readManifest(folder);
  const versions = { ...dependencies, ...optionalDependencies };
  const [version = ""] = Object.values(versions);
  return { packages: Object.keys(versions), version };
}

/** Whether the lock file of pnpm has its package for this system. Only a report on Linux with glibc names a glibc. */
function hasLockedPnpm() {
  const { header } = Object(process.report?.getReport());
  return header?.glibcVersionRuntime !== undefined && ["arm64", "x64"].includes(process.arch);
}

/** The user's cache, which all clones share, then that of this clone. @param {NodeJS.ProcessEnv} env @returns {[string, string]} */
export function cacheFolders(env) {
  const configured = env["XDG_CACHE_HOME"] || (isWindows ? env["LOCALAPPDATA"] : undefined);
  // The XDG specification says that a relative path is ignored.
  const cache =
    configured && path.isAbsolute(configured) ? configured : path.join(env["HOME"] || os.homedir(), ".cache");
  return [path.join(cache, "hookwright"), PROJECT_CACHE];
}

/** A new folder in the first cache that can be written. @param {readonly string[]} caches */
function makeTemporary([cache = PROJECT_CACHE, ...others]) {
  try {
    mkdirSync(cache, { recursive: true });
    return mkdtempSync(path.join(cache, ".installing-"));
  } catch (error) {
    if (others.length === 0) throw error;
    return makeTemporary(others);
  }
}

/** Runs the npm that runs us, else the one on the path. @param {readonly string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env */
async function runNpm(args, cwd, env) {
  const script = env["npm_execpath"] ?? "";
  // pnpm and yarn set this variable too.
  const isNpm = path.basename(script) === "npm-cli.js";
  try {
    return isNpm
      ? await run(process.execPath, [script, ...args], { cwd, env, capture: true })
      : await run("npm", args, { cwd, env, capture: true, shell: isWindows });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
    throw new ScriptError(
      "npm was not found. Install Node 26, which contains it, and run the command again.",
    );
  }
}
